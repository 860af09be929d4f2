import type { Group } from '@vigie/contracts/groups';
import { groupsApi } from '../features/groups/groups.api';
import { isOf, linesOf, type Node, pathTo, treeOf } from '../features/groups/tree';
import { useUser } from './useUser';

/** Names known groups, each with its full path; unknown ids are left out. */
export type GroupNames = (ids: readonly string[]) => { name: string; path: string }[];
type Shape = { lines: readonly Node<Group>[]; namesOf: GroupNames };

const none: readonly Group[] = [];
const shapes = new WeakMap<readonly Group[], Shape>();

/** Every row of a list names its groups, so the tree is built once for each response. */
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

export function useGroups() {
  const { data: groups = none, error, isLoading } = groupsApi.useGroupsQuery();
  return { groups, lines: shapeOf(groups).lines, error, isLoading };
}

/** The groups of this owner, or else of the current user: admin mode also lists those of other people. */
export function useFittingGroups(owner: string | undefined) {
  const { lines, ...rest } = useGroups();
  const own = useUser()?.id;
  return { ...rest, lines: lines.filter(({ group }) => isOf(group, owner ?? own)) };
}

/** One subscription serves all rows of a list. */
export const useGroupNames = (): GroupNames => shapeOf(useGroups().groups).namesOf;
