import type { Log } from '@vigie/service-kit/log';
import type { DataSource, EntityManager } from 'typeorm';
import { endJob, lockJob } from './end-job';

const batchSize = 100;
const outcome = {
  state: 'unknown',
  result: null,
  error: {
    message:
      'Cette tâche attendait son tour quand Vigie a été sauvegardée\u00a0: elle a peut-être été faite ou annulée depuis. Vérifiez le site, puis relancez-la au besoin.',
  },
} as const;

const firstId = '00000000-0000-0000-0000-000000000000';

/** Ends jobs that a restore of Vigie set to wait for ever: begun now, they might be done a second time. */
export async function endRestoredJobs(database: DataSource, log: Log): Promise<void> {
  for (let after = firstId; ; ) {
    const jobs: { id: string }[] = await database.query(
      `select id from jobs where state = 'queued' and not is_batch and not_before = 'infinity' and id > $1
       order by id limit $2`,
      [after, batchSize],
    );
    for (const { id } of jobs) {
      // A job that cannot be ended must not block the others.
      await database
        .transaction((manager) => endRestoredJob(manager, id))
        .catch((error: unknown) =>
          log.warn({ err: error, job: id }, 'a job from before the restore could not be ended'),
        );
      after = id;
    }
    if (jobs.length < batchSize) return;
  }
}

async function endRestoredJob(manager: EntityManager, id: string): Promise<void> {
  const job = await lockJob(manager, id);
  if (job) await endJob(manager, job, outcome);
}
