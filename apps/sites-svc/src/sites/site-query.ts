import type { Input } from '@vigie/contracts/contract';
import { foldText } from '@vigie/contracts/search-text';
import { type ParsedToken, parseSiteQuery } from '@vigie/contracts/site-search';
import type { listSiteIds } from '@vigie/contracts/sites';
import { partOf, queryPrepared } from '@vigie/service-kit/database';
import { hasWords, patternsOf } from '@vigie/service-kit/search';
import type { EntityManager } from 'typeorm';
import { isInGroup, isInGroupTree } from '../groups/memberships';
import { isPlugin } from '../items/installed-items';
import { callerFilter, isOwned } from '../owners/owner-filter';
import { inShared, reachesGroup, reachesSite, sharedRole, sharedTable } from '../owners/reach';
import { idsNamed } from './names';
import { isVersion, numbersOf } from './versions';

type SiteFilters = Omit<Input<typeof listSiteIds>, 'limit' | 'offset'>;
type Page = { limit?: number | undefined; offset: number };

/** SQL: a grant shows nothing of a site's connection, so no search and no order may depend on it either. */
const seesConnection = () => (sharedRole() ? isOwned('s', '$1') : 'true');

/** SQL for the server's name, or the site's own host without a server. */
const serverName = () => `(select coalesce(v.name, s.host collate french)
  from (select s.server_id) w left join servers v on v.id = w.server_id where ${seesConnection()})`;

const sortColumns: Readonly<Record<string, string>> = {
  name: 's.name',
  url: 's.url',
  status: 's.status',
  updates: 's.updates_count',
  wp_version: 's.wp_version',
  php_version: 's.php_version',
  backup: 's.last_backup_at',
  // An index has this expression.
  attention: "((s.status = 'error') is not true)",
};

const matchesSiteOrServer = (words: string) => `(${hasWords('s.search_text', words)}
  or ${seesConnection()} and s.server_id in (select v.id from servers v where ${hasWords('v.search_text', words)}))`;

/** A search for sites, as parts of a statement in which `s` is a site; `values` are its first parameters. */
type SiteQuery = { where: string; order: string; values: unknown[]; isFiltered: boolean };

/** Finds the matching sites that the caller reaches, or those of `owner`. */
export function querySites(
  { q, sort, group_id, server_id, status }: SiteFilters,
  owner?: ReturnType<typeof callerFilter>,
  shared?: string,
): SiteQuery {
  const values: unknown[] = [(owner ?? callerFilter()).ownerId ?? null];
  const add: AddValue = (value) => `$${values.push(value)}`;
  const { tokens, text } = parseSiteQuery(q);
  const [textPattern] = patternsOf(text) ?? [];
  const conditions = [
    owner ? isOwned('s', '$1', owner) : reachesSite('s', '$1', shared),
    ...(textPattern ? [matchesSiteOrServer(add(textPattern))] : []),
    ...tokens.map((token) => conditionOf(token, add)),
    ...(group_id === undefined ? [] : [isInGroup('sites', 's', add(group_id)), ...seesGroup(`$${values.length}`)]),
    ...(server_id === undefined ? [] : [`s.server_id = ${add(server_id)} and ${seesConnection()}`]),
    ...(status === undefined ? [] : [hasStatus(status, add)]),
  ];
  return { where: conditions.join(' and '), order: orderOf(sort), values, isFiltered: conditions.length > 1 };
}

/** Returns one page of the matching sites, and how many there are on all pages. */
export async function findSiteIds(manager: EntityManager, { limit, offset, ...filters }: Page & SiteFilters) {
  const { where, order, values, isFiltered } = querySites(filters, undefined, inShared.sites);
  const part = partOf({ limit, offset }, (value) => `$${values.push(value)}`);
  const sql = `with ${sharedTable('sites', '$1')}
    select (select count(*)::int from sites s where ${where}) as total, to_json(array(
    select s.id from sites s where ${where} order by ${order} ${part})) as ids`;
  // Filters make more texts than a connection should keep.
  const read = isFiltered ? manager.query(sql, values) : queryPrepared(manager, sql, values);
  const [page] = (await read) as { ids: string[]; total: number }[];
  if (!page) throw new Error('a count is one row');
  return page;
}

/** A group that the caller does not see says nothing of the sites that are shared with them. */
const seesGroup = (id: string) =>
  sharedRole() ? [`exists (select from groups g where g.id = ${id}::uuid and ${reachesGroup('g', '$1')})`] : [];

function orderOf(sort: string): string {
  const key = sort.replace('-', '');
  const column = key === 'server' ? serverName() : (sortColumns[key] ?? 's.name');
  const first = `${column} ${sort.startsWith('-') ? 'desc' : 'asc'} nulls last`;
  return column === 's.name' ? `${first}, s.id` : `${first}, s.name, s.id`;
}

/** Adds a value to the statement and returns its parameter, so that typed text never becomes SQL. */
type AddValue = (value: unknown) => string;

const hasStatus = (status: string, add: AddValue) =>
  status === 'unknown' ? 's.status is null' : `s.status = ${add(status)}`;

const httpCode = "(s.http ->> 'code')::int";

function conditionOf(token: ParsedToken, add: AddValue): string {
  if (token.key === 'statut') return hasStatus(token.status, add);
  if (token.key === 'maj') return `(s.updates_count > 0) = ${add(token.isWaiting)}`;
  if (token.key === 'http') return `${httpCode} between ${add(token.from)} and ${add(token.to)}`;
  if (token.key === 'sauvegarde') return backupCondition(token.age, add);
  if ('name' in token) return nameConditions[token.key](add(foldText(token.name)));
  const column = token.key === 'php' ? 's.php_version' : 's.wp_version';
  return versionCondition(column, token.comparison, add(token.version.join('.')));
}

const nameConditions = {
  groupe: (name: string) => isInGroupTree('sites', 's', idsNamed('groupe', name)),
  serveur: (name: string) =>
    `${seesConnection()} and (s.server_id in (${idsNamed('serveur', name)}) or s.server_id is null and strpos(lower(s.host), ${name}) > 0)`,
  plugin: (name: string) =>
    `s.id in (select e.site_id from site_extensions e where ${isPlugin('e')} and e.slug in (${idsNamed('plugin', name)}))`,
} as const;

/** Compares only as many numbers as were typed: `6.4` matches 6.4.3. */
function versionCondition(column: string, comparison: string, wanted: string): string {
  const wantedNumbers = `string_to_array(${wanted}, '.')::int[]`;
  return `${isVersion(column)} and (${numbersOf(column)} || array[0, 0, 0])[1:cardinality(${wantedNumbers})] ${comparison} ${wantedNumbers}`;
}

/** SQL: a site that was never read may have backups that nobody has listed yet. */
export const isNeverBackedUp = (row: string) => `${row}.read_at is not null and ${row}.last_backup_at is null`;

function backupCondition(age: { comparison: '<' | '>'; hours: number } | null, add: AddValue): string {
  if (!age) return isNeverBackedUp('s');
  return `s.last_backup_at ${age.comparison === '>' ? '<' : '>='} now() - make_interval(hours => ${add(age.hours)})`;
}
