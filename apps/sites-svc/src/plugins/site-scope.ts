import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { isInGroup } from '../groups/memberships';

/** Under this owner stand the totals of everybody together. */
export const everybody = '00000000-0000-0000-0000-000000000000';

type ScopeFilters = { group_id?: string | undefined; server_id?: string | undefined };

/** Which sites somebody asks about: as conditions, with the first values of the statement they stand in. */
export type SiteScope = {
  /** What tells it apart from the others. */
  key: string;
  values: readonly unknown[];
  /** Part of what the caller sees, so the kept totals do not apply. */
  isPartial: boolean;
  /** Of a row of `sites`. */
  isSiteIn: (row: string) => string;
  /** Of the row of an extension. */
  isExtensionIn: (row: string) => string;
  /** The value that stands in this place behind them. */
  parameter: (place: number) => string;
};

const totalsOwner = ({ sub, adminMode } = currentUser()) => (adminMode ? everybody : sub);

// With the admin mode nothing is asked of the row.
const isOwned = (row: string) => (currentUser().adminMode ? '$1::uuid is not null' : `${row}.owner_id = $1`);

const toScope = (key: string, values: readonly unknown[], idCondition?: string): SiteScope => ({
  key,
  values,
  isPartial: idCondition !== undefined,
  isSiteIn: (row) => (idCondition === undefined ? isOwned(row) : `${isOwned(row)} and ${row}.id = ${idCondition}`),
  // Of sites that were looked up it is known whose they are.
  isExtensionIn: (row) =>
    idCondition === undefined ? isOwned(row) : `$1::uuid is not null and ${row}.site_id = ${idCondition}`,
  parameter: (place) => `$${values.length + place}`,
});

/** All that the acting person sees. */
export const wholeScope = (): SiteScope => toScope(totalsOwner(), [totalsOwner()]);

/** All that they see, or what of it is in a group or on a server: those are looked up first, so that nothing else is read. */
export async function findScope(manager: EntityManager, filters: ScopeFilters): Promise<SiteScope> {
  const { group_id: group, server_id: server } = filters;
  if (group === undefined && server === undefined) return wholeScope();
  const conditions = [
    isOwned('s'),
    ...(group === undefined ? [] : [isInGroup('sites', 's', '$2')]),
    ...(server === undefined ? [] : [`s.server_id = ${group === undefined ? '$2' : '$3'}`]),
  ];
  const sites: { id: string }[] = await manager.query(
    `select s.id from sites s where ${conditions.join(' and ')}`,
    [totalsOwner(), group, server].filter((parameter) => parameter !== undefined),
  );
  const key = [totalsOwner(), group, server].join(' ');
  return toScope(key, [totalsOwner(), sites.map(({ id }) => id)], 'any($2::uuid[])');
}

/** That a row of extensions is a plugin, of which a folder may hold several. */
export const isAnyPlugin = (row: string) => `${row}.type = 'plugin' and ${row}.kind = 'regular'`;

/** The same, one for each site that has it. */
export const isPlugin = (row: string) => `${isAnyPlugin(row)} and ${row}.is_main`;

/** That nobody could say last what is on a site. */
export const isFailed = (row: string) => `(${row}.ssh_error is not null or ${row}.problem is not null)`;
