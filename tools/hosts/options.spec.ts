import { expect, it } from 'vitest';
import { readHostsOptions } from './options';

it('tries everything on the three releases by default', () => {
  expect(readHostsOptions([])).toEqual({
    releases: ['11', '12', '13'],
    parts: ['read', 'changes', 'repairs', 'packs', 'restores', 'pairs'],
  });
});

it('accepts releases and parts in any order', () => {
  expect(readHostsOptions(['pairs', '13', '11', 'packs'])).toEqual({
    releases: ['13', '11'],
    parts: ['pairs', 'packs'],
  });
});

it('returns nothing to do for --help', () => {
  expect(readHostsOptions(['12', '--help'])).toBeUndefined();
});

it.each([[['10']], [['demo']], [['--short']]])('refuses %j', (args) => {
  expect(() => readHostsOptions(args)).toThrow(/^Option inconnue/);
});
