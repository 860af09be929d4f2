import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { searchFleet } from '@vigie/contracts/search';
import { Handles } from '@vigie/service-kit/handles';
import { hasWords, patternsOf, rankOf } from '@vigie/service-kit/search';
import { DataSource } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { foundPlugins } from './found-plugins';

type Found = Output<typeof searchFleet>;

@Controller()
export class SearchController {
  constructor(private readonly database: DataSource) {}

  @Handles(searchFleet)
  async find({ q, limit }: Input<typeof searchFleet>): Promise<Found> {
    const patterns = patternsOf(q);
    if (!patterns) return { sites: [], servers: [], groups: [], plugins: [] };
    const values = [...patterns, ownerFilter().ownerId ?? null, limit];
    const [found]: { [K in keyof Found]: Found[K] | null }[] = await this.database.query(findAll, values);
    return {
      sites: found?.sites ?? [],
      servers: found?.servers ?? [],
      groups: found?.groups ?? [],
      plugins: found?.plugins ?? [],
    };
  }
}

const bestOf = (table: string, rank: string, where: string) => `
  select t.id, ${rank} as rank from ${table} t
  where ($4::uuid is null or t.owner_id = $4) and ${hasWords('t.search_text')} and ${where}
  order by rank, t.name, t.id limit $5`;

/**
 * The best of a table, as JSON: all kinds are one statement. Those that begin with what was typed are a part of an index;
 * the others are looked through where these are too few.
 */
const listOf = (table: string, columns: string) => `(
  with first as materialized (${bestOf(table, '0', 't.search_text like $2')}),
  others as (${bestOf(table, rankOf('t.search_text'), 't.search_text not like $2 and (select count(*) from first) < $5')})
  select json_agg(f) from (
    select t.id, t.name, ${columns}
    from (select * from first union all select * from others) b join ${table} t on t.id = b.id
    order by b.rank, t.name, t.id limit $5
  ) f)`;

const findAll = `
  select ${listOf('sites', 't.url')} as sites, ${listOf('servers', 't.host')} as servers,
    ${listOf('groups', '(select p.name from groups p where p.id = t.parent_id) as parent')} as groups,
    (select json_agg(f) from (${foundPlugins}) f) as plugins`;
