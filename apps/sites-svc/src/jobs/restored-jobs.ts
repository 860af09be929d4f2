import type { Log } from '@vigie/service-kit/log';
import type { DataSource } from 'typeorm';
import { endJob } from './end-job';

const batchSize = 100;
const outcome = {
  state: 'unknown',
  result: null,
  error: {
    message:
      'Cette tâche attendait son tour quand Vigie a été sauvegardée\u00a0: depuis, elle a pu être faite ou annulée. Regardez où en est le site, puis relancez-la s’il le faut.',
  },
} as const;

/** Before all others. */
const firstId = '00000000-0000-0000-0000-000000000000';

/** Ends what waits for ever, as a restore leaves it: begun now it might be done for a second time. */
export async function endRestoredJobs(database: DataSource, log: Log): Promise<void> {
  for (let after = firstId; ; ) {
    const jobs: { id: string }[] = await database.query(
      `select id from jobs where state = 'queued' and not is_batch and not_before = 'infinity' and id > $1
       order by id limit $2`,
      [after, batchSize],
    );
    for (const { id } of jobs) {
      // One that cannot be ended keeps none of the others from their end.
      await database
        .transaction((manager) => endJob(manager, id, outcome))
        .catch((error: unknown) => log.warn({ err: error, job: id }, 'a job that was held back could not be ended'));
      after = id;
    }
    if (jobs.length < batchSize) return;
  }
}
