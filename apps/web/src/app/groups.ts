import type { Group } from '@vigie/contracts/groups';
import { groupsApi } from '../features/groups/groups.api';
import { linesOf, type Node, pathTo, treeOf } from '../features/groups/tree';

type Shape = { lines: readonly Node<Group>[]; known: ReadonlyMap<string, Group> };

const none: readonly Group[] = [];
const shapes = new WeakMap<readonly Group[], Shape>();

/** Made once of each answer: every row of a list names its groups. */
function shapeOf(groups: readonly Group[]): Shape {
  const made = shapes.get(groups);
  if (made) return made;
  const shape = { lines: linesOf(treeOf(groups)), known: new Map(groups.map((group) => [group.id, group])) };
  shapes.set(groups, shape);
  return shape;
}

/** All groups, as the tree that they are. */
export function useGroups() {
  const { data: groups = none, error, isLoading } = groupsApi.useGroupsQuery();
  return { groups, lines: shapeOf(groups).lines, error, isLoading };
}

/** The names of those that are known, each with the whole way to it. */
export function useGroupNames() {
  const { known } = shapeOf(useGroups().groups);
  return (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const group = known.get(id);
      return group ? { name: group.name, path: pathTo(known, id).join(' › ') } : [];
    });
}
