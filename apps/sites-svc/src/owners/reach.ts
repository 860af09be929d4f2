import type { GrantRole } from '@vigie/contracts/grant-roles';
import { currentContext, isNarrowed, runInContext } from '@vigie/service-kit/context';
import { narrowed } from './narrowing';
import { callerFilter, isOwned } from './owner-filter';

/** The parameter of all conditions in this file: the caller, or null for everybody in the admin mode. */
export const reachingCaller = (): string | null => callerFilter().ownerId ?? null;

const isCallers = (row: string, caller: string): string => isOwned(row, caller, callerFilter());

/** The role that the call needs on what is shared with the caller; undefined where it reaches only what they own. */
export const sharedRole = (): GrantRole | undefined => currentContext()?.sharedRole;

type Kind = 'sites' | 'groups';

const grantedIds = (kind: Kind, caller: string) =>
  `select g from granted_${kind}(${caller}::uuid, '${sharedRole()}') g`;

/** SQL for a common table of what is shared with the caller: each condition that does not name it reads the same ids again. */
export const sharedTable = (kind: Kind, caller: string): string =>
  `shared_${kind} as materialized (${sharedRole() ? grantedIds(kind, caller) : 'select'})`;

/** What conditions of a statement with these common tables read. */
export const inShared = { sites: 'table shared_sites', groups: 'table shared_groups' } as const;

/** SQL condition: the caller owns the row, or this column of it is shared with them. */
function reaches(kind: Kind, row: string, id: string, caller: string, shared = grantedIds(kind, caller)): string {
  const isMine = isCallers(row, caller);
  const isReached = sharedRole() ? `(${isMine} or ${row}.${id} in (${shared}))` : isMine;
  return narrowed(kind, `${row}.${id}`, isReached);
}

export const reachesSite = (row: string, caller: string, shared?: string): string =>
  reaches('sites', row, 'id', caller, shared);

export const reachesGroup = (row: string, caller: string, shared?: string): string =>
  reaches('groups', row, 'id', caller, shared);

/** A row that belongs to a site: its owner's, and theirs with whom the site is shared. */
export const reachesRowOfSite = (row: string, caller: string, shared?: string): string =>
  reaches('sites', row, 'site_id', caller, shared);

/**
 * The conditions of which `reachesRowOfSite` needs one: an index finds each of them alone. As a value the second is asked
 * row by row; as a join it would go through all that is shared for each thing that none of it has.
 */
export const reachingParts = (row: string, caller: string, shared = grantedIds('sites', caller)): string[] =>
  [isCallers(row, caller), `(${row}.site_id in (${shared})) is true`].map((part) =>
    narrowed('sites', `${row}.site_id`, part),
  );

/** A batch on somebody else's sites belongs to their owner. The person who requested it reaches it while they reach one of its sites. */
export function reachesJob(row: string, caller: string): string {
  if (isNarrowed()) return reachesNarrowedJob(row, caller);
  if (!sharedRole()) return isCallers(row, caller);
  return `(${reachesRowOfSite(row, caller)} or ${row}.is_batch and ${row}.actor_id = ${caller} and exists (
    select from jobs part where part.batch_id = ${row}.id and part.site_id in (${grantedIds('sites', caller)})))`;
}

/** A narrowed token reaches a batch only while it reaches all sites of it: it could stop the work on the others. */
const reachesNarrowedJob = (row: string, caller: string) => `(${reachesRowOfSite(row, caller)} or ${row}.is_batch and (
  select bool_and((${reachesRowOfSite('part', caller)}) is true) from jobs part where part.batch_id = ${row}.id) is true)`;

/** Reads or does what needs a stronger role than the rest of the call. */
export function withSharedRole<T>(role: GrantRole, work: () => T): T {
  const context = currentContext();
  return context?.sharedRole ? runInContext({ ...context, sharedRole: role }, work) : work();
}

/** A grant as the object it is about shows it. */
export type GrantOfRow = { role: GrantRole; shared_by: string | null };

const groupsOf = {
  sites: (row: string) => `select m.group_id from site_groups m where m.site_id = ${row}.id`,
  groups: (row: string) => `select ${row}.id`,
};

/**
 * SQL for the strongest grant by which the caller reaches a site or group of somebody else; null for what they own. A
 * narrowed token manages what its user owns.
 */
export function grantOfRow(kind: 'sites' | 'groups', row: string, caller: string): string {
  if (!sharedRole()) return 'null::json';
  const isMine = `(n.user_id = ${caller} or n.team_id in (select t.team_id from team_members t where t.user_id = ${caller}))`;
  const grantsOf = (id: string) => `select n.role, n.shared_by, n.created_at from grants n where n.${id} and ${isMine}`;
  // Look-ups: a join would read all groups and all grants again for each row.
  return `case when ${row}.owner_id <> ${caller} then (
    with recursive above (id) as (
      ${groupsOf[kind](row)} union select (select p.parent_id from groups p where p.id = a.id) from above a where a.id is not null)
    select json_build_object('role', role, 'shared_by', shared_by) from (
      ${kind === 'sites' ? `${grantsOf(`site_id = ${row}.id`)} union all` : ''}
      select m.* from above a cross join lateral (${grantsOf('group_id = a.id')} offset 0) m) mine
    order by role desc, created_at limit 1)${isNarrowed() ? ` else json_build_object('role', 'manager', 'shared_by', null)` : ''} end`;
}

/** How an object says what the caller may do with it. */
export const toCallerRole = (grant: GrantOfRow | null) => grant ?? ({ role: 'owner', shared_by: null } as const);

/** SQL for the group above a group, null where the caller does not see it. */
export const reachedParent = (row: string, caller: string): string =>
  sharedRole()
    ? `(select p.id from groups p where p.id = ${row}.parent_id and ${reachesGroup('p', caller)})`
    : `${row}.parent_id`;
