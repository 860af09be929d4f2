import { expect, it } from 'vitest';
import { linesOf, filterGroups, parentsOf, pathTo, treeOf } from './groups-tree';

const group = (id: string, parent: string | null = null) => ({ id, name: id, parent_id: parent });
const groups = [group('Éva'), group('Zoé'), group('b10', 'Éva'), group('b2', 'Éva'), group('c', 'b2'), group('Fin')];
const outline = (lines: readonly { depth: number; group: { id: string } }[]) =>
  lines.map(({ depth, group: { id } }) => '.'.repeat(depth) + id);

it('lists each group under its parent, sorted as French readers sort names', () => {
  expect(outline(linesOf(treeOf(groups)))).toEqual(['Éva', '.b2', '..c', '.b10', 'Fin', 'Zoé']);
  expect(outline(linesOf(treeOf(groups), (id) => id === 'b2'))).toEqual(['Éva', '.b2', '.b10', 'Fin', 'Zoé']);
});

it('keeps a group whose parent is missing', () => {
  expect(outline(linesOf(treeOf([group('a', 'gone')])))).toEqual(['a']);
});

it('offers neither the group itself nor its subgroups as its parent', () => {
  expect(outline(parentsOf(groups, 'b2'))).toEqual(['Éva', '.b10', 'Fin', 'Zoé']);
  expect(outline(parentsOf(groups, undefined))).toHaveLength(6);
});

it('offers no parent that would make the tree too deep', () => {
  const chain = Array.from({ length: 8 }, (_, index) => group(`g${index}`, index === 0 ? null : `g${index - 1}`));
  expect(outline(parentsOf([...chain, group('x')], undefined))).toHaveLength(8);
  expect(outline(parentsOf([...chain, group('x'), group('y', 'x')], 'x'))).toEqual([
    'g0',
    '.g1',
    '..g2',
    '...g3',
    '....g4',
    '.....g5',
  ]);
});

it('names the ancestors of a group', () => {
  const groupsById = new Map([...groups, group('own', 'own')].map((one) => [one.id, one]));
  expect(pathTo(groupsById, 'c')).toEqual(['Éva', 'b2', 'c']);
  expect(pathTo(groupsById, 'nobody')).toEqual([]);
  expect(pathTo(groupsById, 'own')).toEqual(['own']);
});

it('finds a name without its accents, and keeps its ancestors', () => {
  expect(filterGroups(groups, ' B2').map(({ id }) => id)).toEqual(['Éva', 'b2']);
  expect(filterGroups(groups, 'eva').map(({ id }) => id)).toEqual(['Éva']);
});
