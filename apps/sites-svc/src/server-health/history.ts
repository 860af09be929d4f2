import { tryLockName } from '@vigie/service-kit/locks';
import type { DataSource, EntityManager } from 'typeorm';

/** Of each table, by one statement: looks go on meanwhile, and none has more than seconds. */
const perPart = 20_000;

/** A sample whose quarter is not made yet stays for it. */
const old = {
  health_samples: `at < now() - interval '24 hours' and at < (select max(at) + interval '15 minutes' from health_quarters)`,
  health_quarters: "at < now() - interval '30 days'",
} as const;

/** Quarters of an hour of what is complete. */
export async function rollUp(database: DataSource): Promise<void> {
  await alone(database, (manager) =>
    manager.query(
      `insert into health_quarters
       select server_id, date_bin('15 minutes', at, 'epoch'), count(*), count(*) filter (where is_up),
         avg(load), max(load), max(mem_pct), max(disk_pct)
       from health_samples
       where at < date_bin('15 minutes', now(), 'epoch')
         and at >= coalesce((select max(at) + interval '15 minutes' from health_quarters), '-infinity')
       group by 1, 2
       on conflict do nothing`,
    ),
  );
}

/** A part of what is older than its time; whether there may be more of it. */
export async function forgetOld(database: DataSource): Promise<boolean> {
  let isMore = false;
  for (const [table, isOld] of Object.entries(old)) {
    await alone(database, async (manager) => {
      const [, gone]: [unknown, number] = await manager.query(
        `delete from ${table} where ctid = any(array(select ctid from ${table} where ${isOld} limit ${perPart}))`,
      );
      isMore ||= gone === perPart;
    });
  }
  return isMore;
}

/** One replica at a time. */
async function alone(database: DataSource, work: (manager: EntityManager) => Promise<unknown>): Promise<void> {
  await database.transaction(async (manager) => {
    if (await tryLockName(manager, 'health')) await work(manager);
  });
}
