import { Controller } from '@nestjs/common';
import {
  type ActivityChoices,
  type ActivityItem,
  activityFilters,
  listActivity,
  listActivityChoices,
} from '@vigie/contracts/activity';
import type { Input } from '@vigie/contracts/contract';
import { queryPrepared } from '@vigie/service-kit/database';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { reachesLine, seenDetails } from './reached-lines';
import { reachingCaller } from '../owners/reach';
import { isUndone } from '../queue/failures';

type ActivityFilters = Input<typeof listActivity>;
type Run = NonNullable<ActivityItem['run']>;
type Row = Omit<ActivityItem, 'created_at' | 'run'> & { created_at: Date };

const maxChoices = 200;

/** SQL for the lines that the caller may see and the filters match, by their alias, with its values. */
function searchFor({ kind, actor_id, site_id, batch_id }: ActivityFilters) {
  const values: unknown[] = [reachingCaller()];
  const wanted = Object.entries({ actor_id, site_id, batch_id }).flatMap(([column, id]) =>
    id === undefined ? [] : [`${column} = $${values.push(id)}`],
  );
  if (kind) wanted.push(`type = any($${values.push(activityFilters[kind])})`);
  const matches = (line: string) =>
    [reachesLine(line, '$1'), ...wanted.map((condition) => `${line}.${condition}`)].join(' and ');
  return { values, matches };
}

@Controller()
export class ActivityController {
  constructor(private readonly database: DataSource) {}

  @Handles(listActivity)
  async list(filters: ActivityFilters) {
    const { values, matches } = searchFor(filters);
    const isNewestOfBatch = `not exists (select from activity b
      where b.batch_id = a.batch_id and (b.created_at, b.id) > (a.created_at, a.id) and ${matches('b')})`;
    const latest = await queryPrepared<Row>(
      this.database.manager,
      `select a.id, a.type, a.actor_name, a.job_id, a.batch_id, a.site_id, a.site_name, a.server_id, a.server_name,
         ${seenDetails('a', '$1')} as details,
         a.created_at
       from activity a where ${matches('a')} and ${filters.grouped === '1' ? isNewestOfBatch : 'true'}
       order by a.created_at desc, a.id desc limit ${filters.limit}`,
      values,
    );
    const runs = filters.grouped === '1' ? await this.runsOf(latest, filters) : undefined;
    return {
      items: latest.map((line) => ({
        ...line,
        created_at: line.created_at.toISOString(),
        run: runs?.get(line.batch_id ?? '') ?? null,
      })),
    };
  }

  @Handles(listActivityChoices)
  async choices(): Promise<ActivityChoices> {
    const rows: { kind: keyof ActivityChoices; id: string; name: string }[] = await this.database.query(
      `with latest as (
         select actor_id, actor_name, site_id, site_name, created_at from activity a
         where ${reachesLine('a', '$1')} order by created_at desc, id desc limit 1000
       ), choices as (
         (select distinct on (actor_id) 'people' as kind, actor_id as id, actor_name as name from latest
          where actor_id is not null and actor_name is not null order by actor_id, created_at desc)
         union all
         (select distinct on (site_id) 'sites', site_id, site_name from latest
          where site_id is not null and site_name is not null order by site_id, created_at desc)
       )
       select kind, id, name from choices order by name collate french, id`,
      [reachingCaller()],
    );
    const choicesOf = (choiceKind: keyof ActivityChoices) =>
      rows.flatMap(({ kind, id, name }) => (kind === choiceKind ? [{ id, name }] : [])).slice(0, maxChoices);
    return { people: choicesOf('people'), sites: choicesOf('sites') };
  }

  /** Counts the lines of each batch; a batch with a single line is shown as that line. */
  private async runsOf(latest: readonly Row[], filters: ActivityFilters): Promise<ReadonlyMap<string, Run>> {
    const ids = latest.flatMap(({ batch_id: batchId }) => batchId ?? []);
    if (ids.length === 0) return new Map();
    const { values, matches } = searchFor(filters);
    const runs = await queryPrepared<Run>(
      this.database.manager,
      `select a.batch_id as id, count(*)::int as lines, count(distinct a.site_id)::int as sites,
         (count(*) filter (where a.details ->> 'state' <> 'succeeded'))::int as failed,
         (count(*) filter (where ${isUndone("a.details ->> 'state'", 'a.details')}))::int as undone
       from activity a where ${matches('a')} and a.batch_id = any($${values.length + 1}) group by 1 having count(*) > 1`,
      [...values, ids],
    );
    return new Map(runs.map((run) => [run.id, run]));
  }
}
