import { tryLockName } from '@vigie/service-kit/locks';
import type { DataSource, EntityManager } from 'typeorm';

/** Rows of one delete statement: it must end within seconds, while probes go on writing. */
const chunkSize = 20_000;

/** SQL: samples stay until they are rolled up into their quarter of an hour. */
const expiredRows = {
  health_samples: `at < now() - interval '24 hours' and at < (select max(at) + interval '15 minutes' from health_quarters)`,
  health_quarters: "at < now() - interval '30 days'",
} as const;

/** Rolls up samples into quarters of an hour that are over. */
export async function rollUp(database: DataSource): Promise<void> {
  await withHealthLock(database, (manager) =>
    manager.query(
      `insert into health_quarters (server_id, at, looks, ups, load_avg, load_max, mem_pct, disk_pct, procs)
       select server_id, date_bin('15 minutes', at, 'epoch'), count(*), count(*) filter (where is_up),
         avg(load), max(load), max(mem_pct), max(disk_pct), max(procs)
       from health_samples
       where at < date_bin('15 minutes', now(), 'epoch')
         and at >= coalesce((select max(at) + interval '15 minutes' from health_quarters), '-infinity')
       group by 1, 2
       on conflict do nothing`,
    ),
  );
}

/** Deletes one chunk of each table. Returns whether more rows may be left. */
export async function deleteOldSamples(database: DataSource): Promise<boolean> {
  let hasMore = false;
  for (const [table, isExpired] of Object.entries(expiredRows)) {
    await withHealthLock(database, async (manager) => {
      const [, deleted]: [unknown, number] = await manager.query(
        `delete from ${table} where ctid = any(array(select ctid from ${table} where ${isExpired} limit ${chunkSize}))`,
      );
      hasMore ||= deleted === chunkSize;
    });
  }
  return hasMore;
}

/** Only one replica at a time does the work. */
async function withHealthLock(database: DataSource, work: (manager: EntityManager) => Promise<unknown>): Promise<void> {
  await database.transaction(async (manager) => {
    if (await tryLockName(manager, 'health')) await work(manager);
  });
}
