import { expect, it } from 'vitest';
import { readGroupPaths, writeGroupPaths } from './group-paths';

it('reads what it wrote, whatever the names hold', () => {
  const paths = [['Clients', 'A | B'], ['a › b'], ['c > d', String.raw`e\f`], [String.raw`g\|`, String.raw`h\\`]];
  expect(readGroupPaths(writeGroupPaths(paths))).toEqual(paths);
});

it.each<[string, string[][]]>([
  ['', []],
  [' | ', []],
  ['Clients > Bretagne|Boutiques', [['Clients', 'Bretagne'], ['Boutiques']]],
  ['Clients›Bretagne | ', [['Clients', 'Bretagne']]],
])('reads %j as people type it', (text, paths) => {
  expect(readGroupPaths(text)).toEqual(paths);
});
