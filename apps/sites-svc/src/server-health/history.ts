import type { DataSource } from 'typeorm';

/** Quarters of an hour of what is complete, one replica at a time; what is older than its time goes. */
export async function rollUp(database: DataSource): Promise<void> {
  await database.transaction(async (manager) => {
    const [lock]: { is_mine: boolean }[] = await manager.query(
      "select pg_try_advisory_xact_lock(hashtext(current_schema() || '.health')) as is_mine",
    );
    if (!lock?.is_mine) return;
    await manager.query(
      `insert into health_quarters
       select server_id, date_bin('15 minutes', at, 'epoch'), count(*), count(*) filter (where is_up),
         avg(load), max(load), max(mem_pct), max(disk_pct)
       from health_samples
       where at < date_bin('15 minutes', now(), 'epoch')
         and at >= coalesce((select max(at) + interval '15 minutes' from health_quarters), '-infinity')
       group by 1, 2
       on conflict do nothing`,
    );
    await manager.query("delete from health_samples where at < now() - interval '24 hours'");
    await manager.query("delete from health_quarters where at < now() - interval '30 days'");
  });
}
