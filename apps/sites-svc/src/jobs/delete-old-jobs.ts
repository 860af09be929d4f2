import { tryLockName } from '@vigie/service-kit/locks';
import type { DataSource } from 'typeorm';

const keptDays = 30;
/** Each job may have thousands of log lines. */
const batchSize = 50;

/** Repeats until nothing is left: a batch is deleted after the last of its jobs. */
export async function deleteOldJobs(database: DataSource, isEnding: () => boolean): Promise<void> {
  while (!isEnding() && (await deleteSome(database)) > 0);
}

/** Only one replica at a time does the work. */
function deleteSome(database: DataSource): Promise<number> {
  return database.transaction(async (manager) => {
    if (!(await tryLockName(manager, 'retention'))) return 0;
    const [, deleted]: [unknown, number] = await manager.query(
      `delete from jobs where id in (
         select id from jobs j where finished_at < now() - make_interval(days => $1)
           -- Of an ended batch, the jobs come first, then the batch.
           and not exists (select from jobs c where c.batch_id = j.id)
           and not exists (select from jobs b where b.id = j.batch_id
             and (b.finished_at is null or b.finished_at >= now() - make_interval(days => $1)))
         order by finished_at limit $2 for update skip locked)`,
      [keptDays, batchSize],
    );
    return deleted;
  });
}
