import { currentUser, isNarrowed } from '@vigie/service-kit/context';
import { queryPrepared } from '@vigie/service-kit/database';
import type { DataSource, EntityManager } from 'typeorm';
import { allOwners } from '../owners/owner-filter';
import { sharedRole } from '../owners/reach';
import { querySites } from '../sites/site-query';

type ScopeFilters = { group_id?: string | undefined; server_id?: string | undefined };

/** The sites of a request, as SQL conditions; `values` are the statement's first parameters. */
export type SiteScope = {
  key: string;
  values: readonly unknown[];
  /** The stored totals do not apply, because they cover all sites of the owner. */
  isPartial: boolean;
  /** SQL condition on a row of `sites`. */
  isSiteIn: (row: string) => string;
  /** SQL condition on a row of `site_extensions`. */
  isExtensionIn: (row: string) => string;
  /** SQL for the statement's own parameter of this number, counted after `values`. */
  parameter: (position: number) => string;
};

/** Whose stored totals apply: those of everybody also name the plugins of sites that are shared with the caller. */
const totalsOwner = ({ sub, adminMode } = currentUser()) => (adminMode || sharedRole() ? allOwners : sub);

// In the admin mode every row matches, but `$1` must still be used. A narrowed token reaches no other owner's sites.
const isOwned = (row: string) =>
  currentUser().adminMode && !isNarrowed() ? '$1::uuid is not null' : `${row}.owner_id = $1`;
const isOneOf = (id: string, ids: string) => `$1::uuid is not null and ${id} = ${ids}`;

const toScope = (key: string, values: readonly unknown[], idCondition?: string): SiteScope => ({
  key,
  values,
  isPartial: idCondition !== undefined,
  // That the caller reaches these sites was checked when their ids were read.
  isSiteIn: (row) => (idCondition === undefined ? isOwned(row) : isOneOf(`${row}.id`, idCondition)),
  isExtensionIn: (row) => (idCondition === undefined ? isOwned(row) : isOneOf(`${row}.site_id`, idCondition)),
  parameter: (position) => `$${values.length + position}`,
});

/**
 * Reads the ids of a group's or server's sites first, so that later statements read nothing else. The same where sites
 * are shared with the caller, unless they are all sites of one owner, whose stored totals apply in the same snapshot.
 */
export async function findScope(manager: EntityManager, filters: ScopeFilters, isSnapshot = false): Promise<SiteScope> {
  const { group_id, server_id } = filters;
  if (group_id === undefined && server_id === undefined && !sharedRole()) {
    return toScope(totalsOwner(), [totalsOwner()]);
  }
  const { where, values } = querySites({ q: '', sort: 'name', group_id, server_id });
  const owners: { owner_id: string; ids: string[] | null }[] = await manager.query(
    `select r.owner_id, case when ${isSnapshot} and count(*) over () = 1
       and r.n = (select count(*) from sites o where o.owner_id = r.owner_id) then null else to_json(r.ids) end as ids
     from (select s.owner_id, count(*) as n, array_agg(s.id) as ids from sites s where ${where} group by 1) r`,
    values,
  );
  const { sub, groupIds = [] } = currentUser();
  const key = [sub, group_id, server_id, ...groupIds].join(' ');
  const whole = owners.find(({ ids }) => ids === null);
  if (whole) return toScope(key, [whole.owner_id]);
  return toScope(key, [totalsOwner(), owners.flatMap(({ ids }) => ids ?? [])], 'any($2::uuid[])');
}

/** Reads a scope. A site that is added meanwhile is not shared yet, so with shared ones all is read from one snapshot. */
export async function readInScope<T>(
  database: DataSource,
  filters: ScopeFilters,
  read: (manager: EntityManager, scope: SiteScope) => Promise<T>,
): Promise<T> {
  if (!sharedRole()) return read(database.manager, await findScope(database.manager, filters));
  return database.transaction('REPEATABLE READ', async (manager) =>
    read(manager, await findScope(manager, filters, true)),
  );
}

/** Reads with the values of the scope and these. A part of the sites is planned each time, for as many as there are. */
export async function readScope<Row extends object>(
  manager: EntityManager,
  { values, isPartial }: SiteScope,
  sql: string,
  more: readonly unknown[] = [],
): Promise<Row[]> {
  return isPartial
    ? manager.query<Row[]>(sql, [...values, ...more])
    : queryPrepared<Row>(manager, sql, [...values, ...more]);
}
