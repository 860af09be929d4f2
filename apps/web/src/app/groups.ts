import type { Group } from '@vigie/contracts/groups';
import { groupsApi } from '../features/groups/groups.api';
import { isOf, linesOf, type Node, pathTo, treeOf } from '../features/groups/tree';
import { useUser } from './useUser';

/** The names of those that are known, each with the whole way to it. */
export type GroupNames = (ids: readonly string[]) => { name: string; path: string }[];
type Shape = { lines: readonly Node<Group>[]; namesOf: GroupNames };

const none: readonly Group[] = [];
const shapes = new WeakMap<readonly Group[], Shape>();

/** Made once of each answer: every row of a list names its groups. */
function shapeOf(groups: readonly Group[]): Shape {
  const made = shapes.get(groups);
  if (made) return made;
  const known = new Map(groups.map((group) => [group.id, group]));
  const namesOf: GroupNames = (ids) =>
    ids.flatMap((id) => {
      const group = known.get(id);
      return group ? { name: group.name, path: pathTo(known, id).join(' › ') } : [];
    });
  const shape = { lines: linesOf(treeOf(groups)), namesOf };
  shapes.set(groups, shape);
  return shape;
}

/** All groups, as the tree that they are. */
export function useGroups() {
  const { data: groups = none, error, isLoading } = groupsApi.useGroupsQuery();
  return { groups, lines: shapeOf(groups).lines, error, isLoading };
}

/** Those that what belongs to somebody, or is made by whoever is logged in, may be put into: in the admin mode there are others. */
export function useFittingGroups(owner: string | undefined) {
  const { lines, ...rest } = useGroups();
  const own = useUser()?.id;
  return { ...rest, lines: lines.filter(({ group }) => isOf(group, owner ?? own)) };
}

/** For all rows of a list at once: what each of them asked for by itself would be listened to fifty times. */
export const useGroupNames = (): GroupNames => shapeOf(useGroups().groups).namesOf;
