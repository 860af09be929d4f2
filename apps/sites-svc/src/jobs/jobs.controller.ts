import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import {
  acknowledgeJobs,
  cancelJob,
  jobsCancelled,
  type JobError,
  type Job as JobView,
  type JobItem,
  listJobs,
  readJob,
  retryJob,
} from '@vigie/contracts/jobs';
import { Bus } from '@vigie/service-kit/bus';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { acknowledge } from './acknowledge';
import { cancel } from './cancel';
import { DispatchSchedule } from '../queue/dispatch-schedule';
import { type Job, unknownJob } from '../queue/job.entity';
import { readItem, toItems } from './job-items';
import { findListedJobs } from './listed-jobs';
import { findReachedJobs } from './reached-jobs';
import { retry } from './retry';

const maxLogLines = 2_000;
/** JSON bytes of a log in one answer; the next request continues after the last `seq`. */
const maxLogBytes = 393_216;
const maxHinted = 1_000;

/** Lists, cancels, retries and acknowledges jobs. */
@Controller()
export class JobsController {
  constructor(
    private readonly database: DataSource,
    private readonly schedule: DispatchSchedule,
    private readonly bus: Bus,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  @Handles(readJob)
  async read({ id, after, tail }: Input<typeof readJob>): Promise<JobView> {
    const { manager } = this.database;
    const { item, result, visibleLine } = await readItem(manager, id);
    if (!visibleLine) return { ...item, result, log: [] };
    const direction = tail === undefined ? 'asc' : 'desc';
    const log: { seq: number; at: Date; text: string }[] = await manager.query(
      `select seq, at, text from (
         select seq, at, text, sum(octet_length(to_json(text)::text)) over (order by seq ${direction}) as bytes
         from job_log where job_id = $1 and seq > $2 order by seq ${direction} limit $3
       ) l where bytes <= $4 order by seq`,
      [id, after, tail ?? maxLogLines, maxLogBytes],
    );
    return {
      ...item,
      result,
      log: log.map(({ seq, at, text }) => ({ seq, at: at.toISOString(), text: visibleLine(text) })),
    };
  }

  @Handles(listJobs)
  async list(filters: Input<typeof listJobs>) {
    const { manager } = this.database;
    const items = await toItems(manager, await findListedJobs(manager, filters));
    return { items: items.map((item) => ({ ...item, error: item.error && toBrief(item.error) })) };
  }

  @Handles(cancelJob)
  async cancel({ id }: Input<typeof cancelJob>): Promise<JobItem> {
    const running = await this.database.transaction(async (manager) => cancel(manager, await findJob(manager, id)));
    // A hint only: workers also learn of a cancellation when they renew.
    if (running.length > 0) this.bus.publish(jobsCancelled, { ids: running.slice(0, maxHinted) });
    this.schedule.announce();
    return (await readItem(this.database.manager, id)).item;
  }

  @Handles(retryJob)
  async retry({ id }: Input<typeof retryJob>): Promise<JobItem> {
    const newId = await this.database.transaction(async (manager) =>
      retry(manager, this.idempotencyKeys, await findJob(manager, id)),
    );
    this.schedule.announce();
    return (await readItem(this.database.manager, newId)).item;
  }

  @Handles(acknowledgeJobs)
  async acknowledge({ ids }: Input<typeof acknowledgeJobs>) {
    return { acknowledged: await this.database.transaction((manager) => acknowledge(manager, ids)) };
  }
}

const maxErrorLength = 600;

/** Leaves out steps and output, which are read with the job. */
const toBrief = ({ message, code, still }: JobError): JobError => ({
  message: message.slice(0, maxErrorLength),
  ...(code !== undefined && { code: code.slice(0, maxErrorLength) }),
  ...(typeof still === 'string' && { still: still.slice(0, maxErrorLength) }),
});

async function findJob(manager: EntityManager, id: string): Promise<Job> {
  const [job] = await findReachedJobs(manager, [id]);
  if (!job) throw unknownJob();
  return job;
}
