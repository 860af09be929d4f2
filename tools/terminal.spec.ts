import { expect, it } from 'vitest';
import { fr, seconds } from './terminal';

it('applies French spacing to the text of a template, and not to its values', () => {
  const path = '/tmp/a : b ; c';
  expect(fr`Le dossier ${path} est pris : « oui » ; non !`).toBe(
    `Le dossier ${path} est pris\u00a0: «\u202foui\u202f»\u202f; non\u202f!`,
  );
});

it('writes seconds with a comma', () => {
  expect(seconds(1_250)).toBe('1,3\u00a0s');
});
