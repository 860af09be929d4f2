import { expect, it } from 'vitest';
import { endSentence, withDe } from './french';

it('elides "de" before a vowel', () => {
  expect(['Camille', 'Élodie', 'exemple.fr', 'Yann'].map(withDe)).toEqual([
    'de Camille',
    'd’Élodie',
    'd’exemple.fr',
    'de Yann',
  ]);
});

it('ends a sentence that has no end', () => {
  expect(['Fini', 'Fini.', 'Fini\u202f?'].map(endSentence)).toEqual(['Fini.', 'Fini.', 'Fini\u202f?']);
});
