import { Controller } from '@nestjs/common';
import type { Contract, Input } from '@vigie/contracts/contract';
import { claimJob, claimJobs, finishJob, type JobError, noteJob, releaseJob, renewJobs } from '@vigie/contracts/jobs';
import { AppError } from '@vigie/contracts/errors';
import { keepPlans } from '@vigie/service-kit/database';
import { Handles } from '@vigie/service-kit/handles';
import { makeLog } from '@vigie/service-kit/log';
import { fencesRefused } from '@vigie/service-kit/measures';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { env } from '../env';
import { toJsonb } from '../to-jsonb';
import { findAccess, giveJobs, leaseSeconds, type LockedJob, lockClaimable, selectDeliverable } from './claims';
import { endJob, lockJob } from './end-job';
import { DispatchSchedule } from '../queue/dispatch-schedule';
import type { Job } from '../queue/job.entity';
import { settleBatch } from '../queue/settle-batch';
import { stopForbidden } from '../site-commands/stop-forbidden';
import { appendLines, logColumns, type LogRow, writeLog } from './job-log';

/** Time that many jobs wait for one that another transaction has locked. */
const maxLockMs = 100;
/** Shorter than a worker waits for the answer. */
const maxClaimMs = 3_000;
/** Wait before another agent, which may know the kind, can claim the job. */
const unknownKindMs = 5_000;
/** Time without an agent that knows the kind before the job is refused. */
const unknownKindMinutes = 10;
/** Also required, because two claims of one old agent may be ten minutes apart. */
const maxPasses = 20;

type Renewed = Pick<Job, 'id' | 'kind'> & { is_cancelling: boolean };

/** Lets workers claim, renew, report and finish jobs. A worker with an old fence changes nothing. */
@Controller()
export class WorkController {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);

  constructor(
    private readonly database: DataSource,
    private readonly schedule: DispatchSchedule,
  ) {}

  @Handles(claimJob)
  async claim({ id, attempt, agent, kinds, takes_companions: takesCompanions }: Input<typeof claimJob>) {
    const claimed = await this.database.transaction(async (manager) => {
      const [locked] = await lockClaimable(manager, [{ id, attempt }], takesCompanions);
      if (!locked) return undefined;
      if (!isKnown(locked, kinds)) return this.passOver(manager, locked.job);
      const [found] = await findAccess(manager, [locked]);
      if (found instanceof AppError) return this.refuse(manager, locked.job, found);
      return found && (await giveJobs(manager, [found], agent))[0];
    });
    return { job: claimed ?? null };
  }

  /**
   * Claims what it can in one transaction, and nothing if it fails or another transaction holds one of the jobs for long:
   * the worker claims each alone that is left out, so that no job waits for its neighbours.
   */
  @Handles(claimJobs)
  async claimMany({ wake_ups: wakeUps, agent, kinds, takes_companions: takesCompanions }: Input<typeof claimJobs>) {
    const startedAt = performance.now();
    try {
      const jobs = await this.database.transaction(async (manager) => {
        await manager.query(`set local lock_timeout = ${maxLockMs}; ${keepPlans}`);
        const claimable = await lockClaimable(manager, wakeUps, takesCompanions);
        const known = claimable.filter((locked) => isKnown(locked, kinds));
        const found = await findAccess(manager, known);
        const accessible = found.flatMap((each) => (each instanceof AppError ? [] : each));
        const claimed = await giveJobs(manager, selectDeliverable(accessible), agent);
        if (performance.now() - startedAt > maxClaimMs) throw new Error('the worker may have given up waiting');
        return claimed;
      });
      return { jobs };
    } catch (error) {
      if (!isLockTimeout(error)) this.log.error({ err: error }, 'jobs are claimed one by one');
      return { jobs: [] };
    }
  }

  @Handles(renewJobs)
  async renew({ held }: Input<typeof renewJobs>) {
    const { manager } = this.database;
    const [renewed]: [Renewed[], number] = await manager.query(
      // Locks in the order in which a batch is cancelled, so that the two cannot deadlock.
      `with held as (
         select j.id from jobs j join unnest($1::uuid[], $2::int[]) as h(id, fence) on j.id = h.id and j.fence = h.fence
         where j.state = 'running' and j.dispatched_at is not null order by j.id for update of j)
       update jobs set lease_until = now() + make_interval(secs => $3) from held where jobs.id = held.id
       returning jobs.id, jobs.kind, cancel_asked_at is not null as is_cancelling`,
      [held.map(({ id }) => id), held.map(({ fence }) => fence), leaseSeconds],
    );
    const renewedIds = new Set(renewed.map(({ id }) => id));
    const forbidden = await stopForbidden(manager, renewed);
    return {
      lost: held.flatMap(({ id }) => (renewedIds.has(id) ? [] : [id])),
      cancelling: renewed.flatMap(({ id, is_cancelling: isCancelling }) =>
        isCancelling || forbidden.has(id) ? [id] : [],
      ),
    };
  }

  @Handles(noteJob)
  async note(input: Input<typeof noteJob>) {
    // Most notes have progress only, which one statement stores.
    if (input.lines.length === 0) await storeNote(this.database.manager, input);
    else {
      await this.database.transaction(async (manager) => {
        const log = appendLines(await storeNote(manager, input), input.lines);
        await manager.query('update jobs set log_seq = $2, log_bytes = $3, log_cut = $4 where id = $1', [
          input.id,
          log.log_seq,
          log.log_bytes,
          log.log_cut,
        ]);
        await writeLog(manager, input.id, log);
      });
    }
    return {};
  }

  @Handles(finishJob)
  async finish({ id, fence, ...outcome }: Input<typeof finishJob>) {
    await this.database.transaction(async (manager) => {
      await endJob(manager, await requireFence(manager, finishJob, { id, fence }), outcome);
    });
    this.schedule.announce();
    return {};
  }

  @Handles(releaseJob)
  async release(input: Input<typeof releaseJob>) {
    const {
      id,
      fence,
      wait_ms: ms,
      reason,
      is_untouched: isUntouched,
      is_alone: isAlone,
      is_resting: isResting,
    } = input;
    await this.database.transaction(async (manager) => {
      const job = await requireFence(manager, releaseJob, { id, fence });
      const [row]: LogRow[] = await manager.query(`select ${logColumns} from jobs where id = $1`, [id]);
      if (!row) throw leaseLost(releaseJob);
      const log = appendLines(row, [reason]);
      // An untouched job goes back to the queue as if it had never been claimed.
      await manager.query(
        `update jobs set dispatched_at = null, lease_until = null, fence = fence + 1, claims = 0, agent = null,
           not_before = now() + make_interval(secs => $2), is_resting = $4, log_seq = $5, log_bytes = $6, log_cut = $7,
           state = case when $3 then 'queued' else state end, started_at = case when $3 then null else started_at end,
           access = case when $3 then null else access end, memo = case when $3 then null else memo end,
           lead_id = case when $3 then null else lead_id end, heard = case when $3 then 0 else heard end,
           is_alone = is_alone or $8
         where id = $1`,
        [id, ms / 1000, isUntouched, isResting, log.log_seq, log.log_bytes, log.log_cut, isAlone],
      );
      if (isUntouched && job.batchId !== null) await settleBatch(manager, job.batchId);
      await writeLog(manager, id, log);
    });
    this.schedule.announce();
    this.schedule.dispatchAfter(ms);
    return {};
  }

  private async passOver(manager: EntityManager, job: Job): Promise<undefined> {
    const [[row]]: [{ is_hopeless: boolean }[], number] = await manager.query(
      `update jobs set dispatched_at = null, lease_until = null, not_before = now() + make_interval(secs => $2),
         passed_by_at = coalesce(passed_by_at, now()), passings = passings + 1
       where id = $1 returning passed_by_at < now() - make_interval(mins => $3) and passings >= $4 as is_hopeless`,
      [job.id, unknownKindMs / 1000, unknownKindMinutes, maxPasses],
    );
    return row?.is_hopeless ? this.refuse(manager, job, unknownKind(job)) : undefined;
  }

  private async refuse(manager: EntityManager, job: Job, { message, code }: AppError): Promise<undefined> {
    // A job that another agent began may have had any effect.
    const state = job.startedAt ? 'unknown' : 'failed';
    await endJob(manager, job, { state, result: null, error: { message, code } satisfies JobError });
    return undefined;
  }
}

/** Stores what is not in the log, and returns where the log ends. */
async function storeNote(
  manager: EntityManager,
  { id, fence, progress, heard, memo }: Input<typeof noteJob>,
): Promise<LogRow> {
  const [[row]]: [LogRow[], number] = await manager.query(
    `update jobs set progress = coalesce($3, progress), heard = greatest(heard, $4), memo = coalesce($5, memo)
     where id = $1 and fence = $2 and state = 'running' returning ${logColumns}`,
    [id, fence, toJsonb(progress), heard, toJsonb(memo)],
  );
  if (!row) throw leaseLost(noteJob);
  return row;
}

type JobFence = { id: string; fence: number };

async function requireFence(manager: EntityManager, contract: Contract, { id, fence }: JobFence): Promise<Job> {
  const job = await lockJob(manager, id);
  if (!hasLease(job, fence)) throw leaseLost(contract);
  return job;
}

/** No worker has claimed the job since the one with this fence, and it has not ended. */
const hasLease = (job: Job | undefined, fence: number): job is Job => job?.fence === fence && job.state === 'running';

const isKnown = ({ job, isBeyondWorker }: LockedJob, kinds: readonly string[]) =>
  kinds.includes(job.kind) && !isBeyondWorker;

const isLockTimeout = (error: unknown) => error instanceof QueryFailedError && error.driverError.code === '55P03';

const unknownKind = ({ kind, startedAt }: Job) =>
  new AppError(
    'unavailable',
    startedAt
      ? `Aucun agent en service ne sait poursuivre cette tâche (${kind})\u00a0: son effet est inconnu.`
      : `Aucun agent en service ne connaît cette tâche (${kind})\u00a0: rien n’a été lancé. Mettez les agents à jour, puis relancez-la.`,
  );

function leaseLost({ name }: Contract): AppError {
  fencesRefused.inc({ contract: name });
  return new AppError('conflict', 'Cette tâche est confiée à un autre.');
}
