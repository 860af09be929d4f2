import type { Input } from '@vigie/contracts/contract';
import { foldText } from '@vigie/contracts/search-text';
import { type ParsedToken, parseSiteQuery, type SiteToken } from '@vigie/contracts/site-search';
import type { listSiteIds } from '@vigie/contracts/sites';
import { hasWords, patternsOf } from '@vigie/service-kit/search';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { isInGroup, isInGroupTree } from '../groups/memberships';
import { isPlugin } from '../items/installed-items';
import { ownerFilter } from '../owners/owner-filter';
import { idsNamed } from './names';
import { Site } from './site.entity';
import { isVersion, numbersOf } from './versions';

type SiteFilters = Omit<Input<typeof listSiteIds>, 'limit' | 'offset'>;

/** SQL for the server's name, or the site's own host without a server. */
const serverName = `(select coalesce(v.name, s.host collate french)
  from (select s.server_id) w left join servers v on v.id = w.server_id)`;

const sortColumns: Readonly<Record<string, string>> = {
  name: 's.name',
  url: 's.url',
  status: 's.status',
  updates: 's.updatesCount',
  wp_version: 's.wpVersion',
  php_version: 's.phpVersion',
  backup: 's.lastBackupAt',
  server: 'server_name',
  attention: 'is_calm',
};

/** SQL for the columns that the list is sorted by and does not store. An index has the expression of `is_calm`. */
const computedColumns: Readonly<Record<string, string>> = {
  server_name: serverName,
  is_calm: "((s.status = 'error') is not true)",
};

const matchesSiteOrServer = `(${hasWords('s.search_text', ':words')}
  or s.server_id in (select v.id from servers v where ${hasWords('v.search_text', ':words')}))`;

/** Selects the ids of the matching sites that the caller may see, or those of `owner`. */
export function querySites(
  manager: EntityManager,
  filters: SiteFilters,
  owner = ownerFilter(),
): SelectQueryBuilder<Site> {
  const { q, sort, group_id: groupId, server_id: serverId, status } = filters;
  const query = manager.createQueryBuilder(Site, 's').select('s.id');
  query.where(owner).setParameter('owner', owner.ownerId ?? null);
  const { tokens, text } = parseSiteQuery(q);
  const [textPattern] = patternsOf(text) ?? [];
  if (textPattern) query.andWhere(matchesSiteOrServer, { words: textPattern });
  for (const [at, token] of tokens.entries()) addToken(query, token, `t${at}`);
  if (groupId !== undefined) query.andWhere(isInGroup('sites', 's'), { groupId });
  if (serverId !== undefined) query.andWhere('s.server_id = :serverId', { serverId });
  if (status !== undefined) addStatus(query, status, 'status');
  return addOrder(query, sort);
}

function addOrder(query: SelectQueryBuilder<Site>, sort: string): SelectQueryBuilder<Site> {
  const column = sortColumns[sort.replace('-', '')] ?? 's.name';
  const computed = computedColumns[column];
  if (computed !== undefined) query.addSelect(computed, column);
  query.orderBy(column, sort.startsWith('-') ? 'DESC' : 'ASC', 'NULLS LAST');
  if (column !== 's.name') query.addOrderBy('s.name');
  return query.addOrderBy('s.id');
}

function addStatus(query: SelectQueryBuilder<Site>, status: string, name: string): void {
  if (status === 'unknown') query.andWhere('s.status is null');
  else query.andWhere(`s.status = :${name}`, { [name]: status });
}

function addToken(query: SelectQueryBuilder<Site>, token: ParsedToken, name: string): void {
  if (token.key === 'statut') return addStatus(query, token.status, name);
  const [condition, value] = conditionOf(token, name);
  query.andWhere(condition, { [name]: value });
}

const httpCode = "(s.http ->> 'code')::int";

/** `name` is the query parameter of the value, so that typed text never becomes SQL. */
function conditionOf(token: Exclude<SiteToken, { key: 'statut' }>, name: string): [condition: string, value: unknown] {
  if (token.key === 'maj') return [`(s.updates_count > 0) = :${name}`, token.isWaiting];
  if (token.key === 'http') {
    const [from, to] = [1, 2].map((at) => `split_part(:${name}, ' ', ${at})::int`);
    return [`${httpCode} between ${from} and ${to}`, `${token.from} ${token.to}`];
  }
  if (token.key === 'sauvegarde') return backupCondition(token.age, name);
  if ('name' in token) return [nameConditions[token.key](`:${name}`), foldText(token.name)];
  const column = token.key === 'php' ? 's.php_version' : 's.wp_version';
  return [versionCondition(column, token.comparison, name), token.version.join('.')];
}

const nameConditions = {
  groupe: (name: string) => isInGroupTree('sites', 's', idsNamed('groupe', name)),
  serveur: (name: string) =>
    `(s.server_id in (${idsNamed('serveur', name)}) or s.server_id is null and strpos(lower(s.host), ${name}) > 0)`,
  plugin: (name: string) =>
    `s.id in (select e.site_id from site_extensions e where ${isPlugin('e')} and e.slug in (${idsNamed('plugin', name)}))`,
} as const;

/** Compares only as many numbers as were typed: `6.4` matches 6.4.3. */
function versionCondition(column: string, comparison: string, name: string): string {
  const wantedNumbers = `string_to_array(:${name}, '.')::int[]`;
  return `${isVersion(column)} and (${numbersOf(column)} || array[0, 0, 0])[1:cardinality(${wantedNumbers})] ${comparison} ${wantedNumbers}`;
}

/** SQL: a site that was never read may have backups that nobody has listed yet. */
export const isNeverBackedUp = (row: string) => `${row}.read_at is not null and ${row}.last_backup_at is null`;

function backupCondition(age: { comparison: '<' | '>'; hours: number } | null, name: string): [string, unknown] {
  if (!age) return [`${isNeverBackedUp('s')} and :${name}`, true];
  const sign = age.comparison === '>' ? '<' : '>=';
  return [`s.last_backup_at ${sign} now() - make_interval(hours => :${name})`, age.hours];
}
