import { currentContext } from '@vigie/service-kit/context';

/** SQL for the common table `below` of these groups and all below them. */
export const groupsBelow = (groups: string) => `with recursive below (id) as (
  ${groups} union select g.id from groups g join below b on g.parent_id = b.id)`;

/** SQL: the condition holds, and the site or group of this column is in or below the groups to which the token is narrowed. */
export function narrowed(kind: 'sites' | 'groups', column: string, condition: string): string {
  const groups = currentContext()?.user?.groupIds;
  // The signed envelope has checked that they are UUIDs.
  return groups ? `(${condition} and ${column} in (${narrowedIds(kind, groups)}))` : condition;
}

function narrowedIds(kind: 'sites' | 'groups', groups: readonly string[]): string {
  const below = groupsBelow(`select unnest('{${groups.join(',')}}'::uuid[])`);
  return kind === 'groups'
    ? `${below} select id from below`
    : `${below} select m.site_id from site_groups m join below b on b.id = m.group_id`;
}
