import { expect, it } from 'vitest';
import { readSizes } from './options';

it('creates a large fleet by default, and another size on request', () => {
  expect(readSizes([])).toEqual({ sites: 10_000, servers: 1_000, plugins: 30, groups: 20 });
  expect(readSizes(['--sites', '5', '--plugins', '2'])).toMatchObject({ sites: 5, plugins: 2, servers: 1_000 });
  expect(readSizes(['--help'])).toBeUndefined();
});

it.each([[['--sites']], [['--sites', '0']], [['--sites', '1e9']], [['--murs', '3']], [['--constructor', '3']]])(
  'refuses %j',
  (args) => {
    expect(() => readSizes(args)).toThrow('npm run seed');
  },
);
