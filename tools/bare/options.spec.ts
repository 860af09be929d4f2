import { expect, it } from 'vitest';
import { readBareOptions } from './options';

it('tries npm start on both releases by default', () => {
  expect(readBareOptions([])).toEqual({ releases: ['12', '13'], part: 'start' });
});

it('accepts a release and a command in any order', () => {
  expect(readBareOptions(['13', 'demo'])).toEqual({ releases: ['13'], part: 'demo' });
  expect(readBareOptions(['test', '12'])).toEqual({ releases: ['12'], part: 'test' });
});

it('returns nothing to do for --help', () => {
  expect(readBareOptions(['12', '--help'])).toBeUndefined();
});

it.each([[['11']], [['build']], [['--short']]])('refuses %j', (args) => {
  expect(() => readBareOptions(args)).toThrow(/^Option inconnue/);
});

it('refuses two commands', () => {
  expect(() => readBareOptions(['start', 'demo'])).toThrow('Une commande à la fois');
});
