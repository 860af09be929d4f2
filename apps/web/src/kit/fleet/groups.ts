import { editGroup, type Group, listGroups } from '@vigie/contracts/groups';
import { api } from '../query/api';
import { queryOf } from '../query/endpoints';
import { allows, isOwn } from './roles';
import { isOwnedBy, linesOf, type Node, pathTo, treeOf } from './groups-tree';
import { useUser } from './users';

/** The groups' feature adds its own calls. */
export const groupQueries = api.injectEndpoints({
  endpoints: (build) => ({ groups: build.query(queryOf(listGroups)) }),
});

/** Names known groups, each with its full path; unknown ids are left out. */
export type GroupNames = (ids: readonly string[]) => { name: string; path: string }[];
type GroupTree = { lines: readonly Node<Group>[]; namesOf: GroupNames };

const noGroups: readonly Group[] = [];
const treeCache = new WeakMap<readonly Group[], GroupTree>();

/** Every row of a list names its groups, so the tree is built once for each response. */
function groupTree(groups: readonly Group[]): GroupTree {
  const cached = treeCache.get(groups);
  if (cached) return cached;
  const groupsById = new Map(groups.map((group) => [group.id, group]));
  const namesOf: GroupNames = (ids) =>
    ids.flatMap((id) => {
      const group = groupsById.get(id);
      return group ? { name: group.name, path: pathTo(groupsById, id).join(' › ') } : [];
    });
  const tree = { lines: linesOf(treeOf(groups)), namesOf };
  treeCache.set(groups, tree);
  return tree;
}

export function useGroups() {
  const { data: groups = noGroups, error, isLoading } = groupQueries.useGroupsQuery();
  return { groups, lines: groupTree(groups).lines, error, isLoading };
}

/**
 * The groups of this owner, or else of the current user: admin mode also lists those of other people. A site of somebody
 * else goes into those groups of other people that the user manages.
 */
export function useAssignableGroups(owner: string | undefined, isForShared = false) {
  const { lines, ...rest } = useGroups();
  const userId = useUser()?.id;
  const isAssignable = (group: Group) =>
    isForShared ? !isOwn(group) && allows(group, editGroup) : isOwn(group) && isOwnedBy(group, owner ?? userId);
  return { ...rest, lines: lines.filter(({ group }) => isAssignable(group)) };
}

/** One subscription serves all rows of a list. */
export const useGroupNames = (): GroupNames => groupTree(useGroups().groups).namesOf;
