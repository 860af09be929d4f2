import { useMemo } from 'react';
import type { Group } from '@vigie/contracts/groups';
import { groupsApi } from '../features/groups/groups.api';
import { linesOf, pathTo, treeOf } from '../features/groups/tree';

const none: readonly Group[] = [];

/** All groups, as the tree that they are. */
export function useGroups() {
  const { data: groups = none, error, isLoading } = groupsApi.useGroupsQuery();
  const lines = useMemo(() => linesOf(treeOf(groups)), [groups]);
  return { groups, lines, error, isLoading };
}

/** The names of those that are known, each with the whole way to it. */
export function useGroupNames() {
  const { groups } = useGroups();
  return useMemo(() => {
    const known = new Map(groups.map(({ id, name }) => [id, { name, path: pathTo(groups, id).join(' › ') }]));
    return (ids: readonly string[]) => ids.flatMap((id) => known.get(id) ?? []);
  }, [groups]);
}
