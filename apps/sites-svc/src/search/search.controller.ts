import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { searchFleet } from '@vigie/contracts/search';
import { searchWords } from '@vigie/contracts/search-text';
import { serverState } from '@vigie/contracts/server-state';
import { queryPrepared } from '@vigie/service-kit/database';
import { Handles } from '@vigie/service-kit/handles';
import { hasLooseWords, hasWords, loosePatternsOf, patternsOf, rankOf } from '@vigie/service-kit/search';
import { DataSource } from 'typeorm';
import { isOwned } from '../owners/owner-filter';
import { inShared, reachesGroup, reachesSite, reachingCaller, sharedTable } from '../owners/reach';
import { pluginSearchSql } from './plugin-search';

type SearchResults = Output<typeof searchFleet>;
type FoundServer = Omit<SearchResults['servers'][number], 'state'> & { online: boolean | null; alerts: unknown[] };
type Found = Omit<SearchResults, 'servers'> & { servers: FoundServer[] };

@Controller()
export class SearchController {
  constructor(private readonly database: DataSource) {}

  /** Where no text has all words, a typing error in a longer word is forgiven. */
  @Handles(searchFleet)
  async find({ q, limit }: Input<typeof searchFleet>): Promise<SearchResults> {
    const patterns = patternsOf(q);
    if (!patterns) return noResults;
    const [words, ...starts] = patterns;
    const rest = [...starts, reachingCaller(), limit, searchWords(q).join(' ')];
    const results = await this.read(searchSql(hasWords), [words, ...rest]);
    const loose = loosePatternsOf(q);
    const isFound = Object.values(results).some((found) => found.length > 0);
    return isFound || !loose ? results : this.read(searchSql(hasLooseWords), [loose, ...rest]);
  }

  private async read(sql: string, values: unknown[]): Promise<SearchResults> {
    const [row] = await queryPrepared<{ [K in keyof Found]: Found[K] | null }>(this.database.manager, sql, values);
    return {
      sites: row?.sites ?? [],
      servers: (row?.servers ?? []).map(({ online, alerts, ...server }) => ({
        ...server,
        state: serverState(online, alerts),
      })),
      groups: row?.groups ?? [],
      plugins: row?.plugins ?? [],
    };
  }
}

const noResults: SearchResults = { sites: [], servers: [], groups: [], plugins: [] };
type Matches = typeof hasWords;

/** What the caller finds of each table. */
const reaches = {
  sites: (row: string) => reachesSite(row, '$4', inShared.sites),
  servers: (row: string) => isOwned(row, '$4'),
  groups: (row: string) => reachesGroup(row, '$4', inShared.groups),
} as const;
type Table = keyof typeof reaches;

const bestOf = (matches: Matches, table: Table, rank: string, where: string) => `
  select t.id, ${rank} as rank from ${table} t
  where ${reaches[table]('t')} and ${matches('t.search_text')} and ${where}
  order by rank, t.name, t.id limit $5`;

/** SQL: the range is what an index can find in a prepared statement, whose pattern is unknown when it is planned. */
const startsWith = "t.search_text like $2 and t.search_text >= $6 and t.search_text < $6 || U&'\\+10FFFF'";

/**
 * SQL for the best rows of one table, as JSON, so that all tables are one statement. Names that begin with the typed text
 * come from an index; the rest of the table is scanned only when these are too few.
 */
const listOf = (matches: Matches, table: Table, columns: string) => `(
  with first as materialized (${bestOf(matches, table, '0', startsWith)}),
  others as (${bestOf(matches, table, rankOf('t.search_text'), 't.search_text not like $2 and (select count(*) from first) < $5')})
  select json_agg(f) from (
    select t.id, t.name, ${columns}
    from (select * from first union all select * from others) b join ${table} t on t.id = b.id
    order by b.rank, t.name, t.id limit $5
  ) f)`;

const searchSql = (matches: Matches) => `
  with ${sharedTable('sites', '$4')}, ${sharedTable('groups', '$4')}
  select ${listOf(matches, 'sites', `t.url, case when ${isOwned('t', '$4')} then t.server_id end as server_id`)} as sites,
    ${listOf(matches, 'servers', "t.host, (t.status ->> 'online')::boolean as online, t.alerts")} as servers,
    ${listOf(matches, 'groups', `(select p.name from groups p where p.id = t.parent_id and ${reaches.groups('p')}) as parent`)} as groups,
    (select json_agg(f) from (${pluginSearchSql(matches)}) f) as plugins`;
