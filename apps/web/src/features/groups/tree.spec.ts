import { expect, it } from 'vitest';
import { linesOf, matching, parentsOf, pathTo, treeOf } from './tree';

const group = (id: string, parent: string | null = null) => ({ id, name: id, parent_id: parent });
const groups = [group('Éva'), group('Zoé'), group('b10', 'Éva'), group('b2', 'Éva'), group('c', 'b2'), group('Fin')];
const shown = (lines: readonly { depth: number; group: { id: string } }[]) =>
  lines.map(({ depth, group: { id } }) => '.'.repeat(depth) + id);

it('is read from the top, each under its parent, as people sort names', () => {
  expect(shown(linesOf(treeOf(groups)))).toEqual(['Éva', '.b2', '..c', '.b10', 'Fin', 'Zoé']);
  expect(shown(linesOf(treeOf(groups), (id) => id === 'b2'))).toEqual(['Éva', '.b2', '.b10', 'Fin', 'Zoé']);
});

it('keeps one whose parent is not there', () => {
  expect(shown(linesOf(treeOf([group('a', 'gone')])))).toEqual(['a']);
});

it('offers no parent that is the group itself or below it', () => {
  expect(shown(parentsOf(groups, 'b2'))).toEqual(['Éva', '.b10', 'Fin', 'Zoé']);
  expect(shown(parentsOf(groups, undefined))).toHaveLength(6);
});

it('offers no parent that would make the tree too deep', () => {
  const chain = Array.from({ length: 8 }, (_, at) => group(`g${at}`, at === 0 ? null : `g${at - 1}`));
  expect(shown(parentsOf([...chain, group('x')], undefined))).toHaveLength(8);
  expect(shown(parentsOf([...chain, group('x'), group('y', 'x')], 'x'))).toEqual([
    'g0',
    '.g1',
    '..g2',
    '...g3',
    '....g4',
    '.....g5',
  ]);
});

it('names the way to a group', () => {
  const known = new Map([...groups, group('own', 'own')].map((one) => [one.id, one]));
  expect(pathTo(known, 'c')).toEqual(['Éva', 'b2', 'c']);
  expect(pathTo(known, 'nobody')).toEqual([]);
  expect(pathTo(known, 'own')).toEqual(['own']);
});

it('finds a name without its accents, and keeps the way to it', () => {
  expect(matching(groups, ' B2').map(({ id }) => id)).toEqual(['Éva', 'b2']);
  expect(matching(groups, 'eva').map(({ id }) => id)).toEqual(['Éva']);
});
