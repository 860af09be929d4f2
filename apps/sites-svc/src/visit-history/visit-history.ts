import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource, type EntityManager } from 'typeorm';
import { env } from '../env';
import { histogramSql } from './response-times';
import { emptyNextSlot, keptSeconds, slotSql } from './rings';
import { stateCodes } from './samples';

const everyMs = 60_000;
const rings = ['visit_samples', 'visit_quarters'] as const;
/** Checks of the last minutes may still turn out to be those of a cut network. */
const settleMinutes = 5;

const count = (state: keyof typeof stateCodes) => `count(*) filter (where state = ${stateCodes[state]})`;
const histogram = histogramSql('ms', `state = ${stateCodes.up}`);

/** SQL: adds the samples of one quarter of an hour to the quarters and to the days. */
const addQuarter = `
  with kept as (
    -- In the order in which a deletion of sites locks them.
    select id from sites order by id for key share
  ), quarter as (
    select v.site_id, ${count('up')} as ups, ${count('down')} as downs,
      ${count('excused')} + ${count('unsure')} as others, ${histogram} as histogram
    from visit_samples v join kept on kept.id = v.site_id
    where v.slot = ${slotSql('visit_samples', '$1')} and v.at >= $1 and v.at < $1 + interval '15 minutes'
    group by v.site_id
  ), quarters as (
    insert into visit_quarters (site_id, at, slot, ups, downs, others, histogram)
    select site_id, $1, ${slotSql('visit_quarters', '$1')}, ups, downs, others, histogram from quarter
    on conflict do nothing
  )
  insert into visit_days as d (site_id, at, ups, downs, others, histogram)
  select site_id, date_trunc('day', $1, 'UTC'), ups, downs, others, histogram from quarter order by site_id
  on conflict (site_id, at) do update set ups = d.ups + excluded.ups, downs = d.downs + excluded.downs,
    others = d.others + excluded.others,
    histogram = array(select one + other from unnest(d.histogram, excluded.histogram) as pair(one, other))`;

/** Adds up what the checks of sites found: the minutes become quarters of an hour and days, and are then forgotten. */
@Injectable()
export class VisitHistory implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly tasks = [
    new RepeatingTask(this.log, 'the checks of sites could not be added up', () => this.addUp()),
    ...rings.map(
      (ring) =>
        new RepeatingTask(this.log, `a part of ${ring} could not be emptied`, () =>
          emptyNextSlot(this.database.manager, ring),
        ),
    ),
  ];

  constructor(private readonly database: DataSource) {}

  onApplicationBootstrap(): void {
    for (const task of this.tasks) {
      task.start(everyMs);
      void task.runNow();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.drain()));
  }

  private async addUp(): Promise<void> {
    while (await this.database.transaction(addNextQuarter));
  }
}

/** Moves the cursor and adds what it passes in one transaction. Returns whether there was a quarter to add. */
async function addNextQuarter(manager: EntityManager): Promise<boolean> {
  const [quarter]: { from: Date }[] = await manager.query(
    `select greatest(until, date_bin('15 minutes', now() - interval '${keptSeconds('visit_samples')} seconds', 'epoch'))
       as "from"
     from uptime_cursor where until <= now() - interval '${15 + settleMinutes} minutes' for update skip locked`,
  );
  if (!quarter) return false;
  await manager.query(addQuarter.replaceAll('$1', '$1::timestamptz'), [quarter.from]);
  await manager.query("update uptime_cursor set until = $1::timestamptz + interval '15 minutes'", [quarter.from]);
  return true;
}
