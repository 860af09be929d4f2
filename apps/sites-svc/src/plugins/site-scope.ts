import { currentUser } from '@vigie/service-kit/context';
import { queryPrepared } from '@vigie/service-kit/database';
import type { EntityManager } from 'typeorm';
import { isInGroup } from '../groups/memberships';
import { allOwners } from '../owners/owner-filter';

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

const totalsOwner = ({ sub, adminMode } = currentUser()) => (adminMode ? allOwners : sub);

// In the admin mode every row matches, but `$1` must still be used.
const isOwned = (row: string) => (currentUser().adminMode ? '$1::uuid is not null' : `${row}.owner_id = $1`);

const toScope = (key: string, values: readonly unknown[], idCondition?: string): SiteScope => ({
  key,
  values,
  isPartial: idCondition !== undefined,
  isSiteIn: (row) => (idCondition === undefined ? isOwned(row) : `${isOwned(row)} and ${row}.id = ${idCondition}`),
  // The owner of these sites was checked when their ids were read.
  isExtensionIn: (row) =>
    idCondition === undefined ? isOwned(row) : `$1::uuid is not null and ${row}.site_id = ${idCondition}`,
  parameter: (position) => `$${values.length + position}`,
});

/** All sites that the caller may see. */
export const wholeScope = (): SiteScope => toScope(totalsOwner(), [totalsOwner()]);

/** Reads the ids of a group's or server's sites first, so that later statements read nothing else. */
export async function findScope(manager: EntityManager, filters: ScopeFilters): Promise<SiteScope> {
  const { group_id: groupId, server_id: serverId } = filters;
  if (groupId === undefined && serverId === undefined) return wholeScope();
  const conditions = [
    isOwned('s'),
    ...(groupId === undefined ? [] : [isInGroup('sites', 's', '$2')]),
    ...(serverId === undefined ? [] : [`s.server_id = ${groupId === undefined ? '$2' : '$3'}`]),
  ];
  const sites: { id: string }[] = await manager.query(
    `select s.id from sites s where ${conditions.join(' and ')}`,
    [totalsOwner(), groupId, serverId].filter((parameter) => parameter !== undefined),
  );
  const key = [totalsOwner(), groupId, serverId].join(' ');
  return toScope(key, [totalsOwner(), sites.map(({ id }) => id)], 'any($2::uuid[])');
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
