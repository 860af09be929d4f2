import { Controller } from '@nestjs/common';
import {
  type ActivityChoices,
  type ActivityItem,
  activityFilters,
  listActivity,
  listActivityChoices,
} from '@vigie/contracts/activity';
import type { Input } from '@vigie/contracts/contract';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { isUndone } from '../queue/failures';
import { Activity, toActivityItem } from './activity.entity';

type ActivityFilters = Input<typeof listActivity>;
type Run = NonNullable<ActivityItem['run']>;

const maxChoices = 200;

/** SQL: the caller may see the line with this alias, and the filters match it. */
const matchesFilters = (line: string) => `(:owner::uuid is null or ${line}.owner_id = :owner)
  and (:types::text[] is null or ${line}.type = any(:types))
  and (:actor::uuid is null or ${line}.actor_id = :actor)
  and (:site::uuid is null or ${line}.site_id = :site)
  and (:batch::uuid is null or ${line}.batch_id = :batch)`;

const filterValues = ({ kind, actor_id: actorId, site_id: siteId, batch_id: batchId }: ActivityFilters) => ({
  owner: ownerFilter().ownerId ?? null,
  types: kind ? activityFilters[kind] : null,
  actor: actorId ?? null,
  site: siteId ?? null,
  batch: batchId ?? null,
});

@Controller()
export class ActivityController {
  constructor(private readonly database: DataSource) {}

  @Handles(listActivity)
  async list(filters: ActivityFilters) {
    const query = this.database.manager
      .createQueryBuilder(Activity, 'a')
      .where(matchesFilters('a'), filterValues(filters));
    if (filters.grouped === '1') {
      query.andWhere(`not exists (select from activity b
        where b.batch_id = a.batch_id and (b.created_at, b.id) > (a.created_at, a.id) and ${matchesFilters('b')})`);
    }
    query.orderBy('a.createdAt', 'DESC').addOrderBy('a.id', 'DESC').limit(filters.limit);
    const latest = await query.getMany();
    const runs = filters.grouped === '1' ? await this.runsOf(latest, filters) : undefined;
    return { items: latest.map((line) => toActivityItem(line, runs?.get(line.batchId ?? '') ?? null)) };
  }

  @Handles(listActivityChoices)
  async choices(): Promise<ActivityChoices> {
    const rows: { kind: keyof ActivityChoices; id: string; name: string }[] = await this.database.query(
      `with latest as (
         select actor_id, actor_name, site_id, site_name, created_at from activity
         where $1::uuid is null or owner_id = $1 order by created_at desc, id desc limit 1000
       ), choices as (
         (select distinct on (actor_id) 'people' as kind, actor_id as id, actor_name as name from latest
          where actor_id is not null and actor_name is not null order by actor_id, created_at desc)
         union all
         (select distinct on (site_id) 'sites', site_id, site_name from latest
          where site_id is not null and site_name is not null order by site_id, created_at desc)
       )
       select kind, id, name from choices order by name collate french, id`,
      [ownerFilter().ownerId ?? null],
    );
    const choicesOf = (choiceKind: keyof ActivityChoices) =>
      rows.flatMap(({ kind, id, name }) => (kind === choiceKind ? [{ id, name }] : [])).slice(0, maxChoices);
    return { people: choicesOf('people'), sites: choicesOf('sites') };
  }

  /** Counts the lines of each batch; a batch with a single line is shown as that line. */
  private async runsOf(latest: readonly Activity[], filters: ActivityFilters): Promise<ReadonlyMap<string, Run>> {
    const ids = latest.flatMap(({ batchId }) => batchId ?? []);
    if (ids.length === 0) return new Map();
    const runs = await this.database.manager
      .createQueryBuilder(Activity, 'a')
      .select('a.batch_id', 'id')
      .addSelect('count(*)::int', 'lines')
      .addSelect('count(distinct a.site_id)::int', 'sites')
      .addSelect("(count(*) filter (where a.details ->> 'state' <> 'succeeded'))::int", 'failed')
      .addSelect(`(count(*) filter (where ${isUndone("a.details ->> 'state'", 'a.details')}))::int`, 'undone')
      .where('a.batch_id = any(:ids)', { ids })
      .andWhere(matchesFilters('a'), filterValues(filters))
      .groupBy('a.batch_id')
      .having('count(*) > 1')
      .getRawMany<Run>();
    return new Map(runs.map((run) => [run.id, run]));
  }
}
