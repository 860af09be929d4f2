import { Controller } from '@nestjs/common';
import type { Contract, Input } from '@vigie/contracts/contract';
import type { SshAccess } from '@vigie/contracts/credentials';
import { claimJob, finishJob, type JobError, noteJob, releaseJob, renewJobs } from '@vigie/contracts/jobs';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { fencesRefused } from '@vigie/service-kit/measures';
import { DataSource, type EntityManager } from 'typeorm';
import { toJsonb } from '../to-jsonb';
import { isAdministrator } from '../owners/owners';
import { Server, toAccess } from '../servers/server.entity';
import { siteAccess, toSiteToRead, connectionsOf } from '../sites/site-access';
import { Site } from '../sites/site.entity';
import { endJob, lockJob } from './end-job';
import { DispatchSchedule } from '../queue/dispatch-schedule';
import type { Job } from '../queue/job.entity';
import { settleBatch } from '../queue/settle-batch';
import { appendLines, logColumns, type LogRow, writeLog } from './job-log';
import { laneOf } from '../queue/jobs';
import { findContentFolders } from './current-targets';

const leaseSeconds = 30;
/** Wait before another agent, which may know the kind, can claim the job. */
const unknownKindMs = 5_000;
/** Time without an agent that knows the kind before the job is refused. */
const unknownKindMinutes = 10;
/** Also required, because two claims of one old agent may be ten minutes apart. */
const maxPasses = 20;

/** Lets workers claim, renew, report and finish jobs. A worker with an old fence changes nothing. */
@Controller()
export class WorkController {
  constructor(
    private readonly database: DataSource,
    private readonly schedule: DispatchSchedule,
  ) {}

  @Handles(claimJob)
  async claim({ id, attempt, agent, kinds }: Input<typeof claimJob>) {
    const claimed = await this.database.transaction(async (manager) => {
      const job = await lockJob(manager, id);
      if (!job || !(await isClaimable(manager, id, attempt))) return null;
      if (!kinds.includes(job.kind)) return this.passOver(manager, job);
      const connection = job.access ? { access: job.access, input: job.input } : await currentConnection(manager, job);
      if (connection instanceof AppError) return this.refuse(manager, job, connection);
      const { access, input } = connection;
      await manager.query(
        `update jobs set fence = fence + 1, claims = claims + 1, tries = coalesce(tries, claimed_attempt) + 1,
           claimed_attempt = $2, agent = $3, access = $4, input = $6, state = 'running', is_resting = false,
           started_at = coalesce(started_at, now()), lease_until = now() + make_interval(secs => $5),
           passed_by_at = null, passings = 0
         where id = $1`,
        [id, attempt, agent, JSON.stringify(access), leaseSeconds, JSON.stringify(input)],
      );
      if (job.batchId !== null) await settleBatch(manager, job.batchId);
      return {
        id,
        fence: job.fence + 1,
        kind: job.kind,
        input,
        access,
        was_started: job.startedAt !== null,
        is_cancelling: job.cancelRequestedAt !== null,
        heard: job.journalOffset,
        memo: job.checkpoint && { ...job.checkpoint },
        traceparent: job.traceparent,
      };
    });
    return { job: claimed };
  }

  @Handles(renewJobs)
  async renew({ held }: Input<typeof renewJobs>) {
    const [renewed]: [{ id: string; is_cancelling: boolean }[], number] = await this.database.query(
      // Locks in the order in which a batch is cancelled, so that the two cannot deadlock.
      `with held as (
         select j.id from jobs j join unnest($1::uuid[], $2::int[]) as h(id, fence) on j.id = h.id and j.fence = h.fence
         where j.state = 'running' and j.dispatched_at is not null order by j.id for update of j)
       update jobs set lease_until = now() + make_interval(secs => $3) from held where jobs.id = held.id
       returning jobs.id, cancel_asked_at is not null as is_cancelling`,
      [held.map(({ id }) => id), held.map(({ fence }) => fence), leaseSeconds],
    );
    const renewedIds = new Set(renewed.map(({ id }) => id));
    return {
      lost: held.flatMap(({ id }) => (renewedIds.has(id) ? [] : [id])),
      cancelling: renewed.flatMap(({ id, is_cancelling: isCancelling }) => (isCancelling ? [id] : [])),
    };
  }

  @Handles(noteJob)
  async note({ id, fence, progress, lines, heard, memo }: Input<typeof noteJob>) {
    await this.database.transaction(async (manager) => {
      const [row]: LogRow[] = await manager.query(
        `select ${logColumns} from jobs where id = $1 and fence = $2 and state = 'running' for update`,
        [id, fence],
      );
      if (!row) throw leaseLost(noteJob);
      const log = appendLines(row, lines);
      await manager.query(
        `update jobs set progress = coalesce($2, progress), heard = greatest(heard, $3), memo = coalesce($4, memo),
           log_seq = $5, log_bytes = $6, log_cut = $7
         where id = $1`,
        [id, toJsonb(progress), heard, toJsonb(memo), log.log_seq, log.log_bytes, log.log_cut],
      );
      await writeLog(manager, id, log);
    });
    return {};
  }

  @Handles(finishJob)
  async finish({ id, fence, state, result, error }: Input<typeof finishJob>) {
    await this.database.transaction(async (manager) => {
      await requireFence(manager, finishJob, { id, fence });
      const outcome = { state, result: result ?? null, error };
      await endJob(manager, id, outcome);
    });
    this.schedule.announce();
    return {};
  }

  @Handles(releaseJob)
  async release(input: Input<typeof releaseJob>) {
    const { id, fence, wait_ms: ms, reason, is_untouched: isUntouched, is_resting: isResting } = input;
    await this.database.transaction(async (manager) => {
      const { batchId } = await requireFence(manager, releaseJob, { id, fence });
      const [row]: LogRow[] = await manager.query(`select ${logColumns} from jobs where id = $1`, [id]);
      if (!row) throw leaseLost(releaseJob);
      const log = appendLines(row, [reason]);
      // An untouched job goes back to the queue as if it had never been claimed.
      await manager.query(
        `update jobs set dispatched_at = null, lease_until = null, fence = fence + 1, claims = 0, agent = null,
           not_before = now() + make_interval(secs => $2), is_resting = $4, log_seq = $5, log_bytes = $6, log_cut = $7,
           state = case when $3 then 'queued' else state end, started_at = case when $3 then null else started_at end,
           access = case when $3 then null else access end, memo = case when $3 then null else memo end
         where id = $1`,
        [id, ms / 1000, isUntouched, isResting, log.log_seq, log.log_bytes, log.log_cut],
      );
      if (isUntouched && batchId !== null) await settleBatch(manager, batchId);
      await writeLog(manager, id, log);
    });
    this.schedule.announce();
    return {};
  }

  private async passOver(manager: EntityManager, job: Job): Promise<null> {
    const [[row]]: [{ is_hopeless: boolean }[], number] = await manager.query(
      `update jobs set dispatched_at = null, lease_until = null, not_before = now() + make_interval(secs => $2),
         passed_by_at = coalesce(passed_by_at, now()), passings = passings + 1
       where id = $1 returning passed_by_at < now() - make_interval(mins => $3) and passings >= $4 as is_hopeless`,
      [job.id, unknownKindMs / 1000, unknownKindMinutes, maxPasses],
    );
    return row?.is_hopeless ? this.refuse(manager, job, unknownKind(job)) : null;
  }

  private async refuse(manager: EntityManager, job: Job, { message, code }: AppError): Promise<null> {
    // A job that another agent began may have had any effect.
    const state = job.startedAt ? 'unknown' : 'failed';
    await endJob(manager, job.id, { state, result: null, error: { message, code } satisfies JobError });
    return null;
  }
}

/** Each attempt can be claimed once, even if Redis delivers it twice. */
async function isClaimable(manager: EntityManager, id: string, attempt: number): Promise<boolean> {
  const rows: unknown[] = await manager.query(
    `select id from jobs where id = $1 and attempts = $2 and claimed_attempt < $2
       and state in ('queued', 'running') and dispatched_at is not null`,
    [id, attempt],
  );
  return rows.length > 0;
}

/** Refuses a job whose target has moved to another address since the request. */
async function currentConnection(manager: EntityManager, job: Job): Promise<HostConnection | AppError> {
  const connection =
    job.siteId === null ? await connectToServer(manager, job) : await connectToSite(manager, job, job.siteId);
  if (connection instanceof AppError) return connection;
  if (![true, false].some((isCheck) => job.lane === laneOf(connection.access, isCheck))) {
    return new AppError('conflict', 'L’adresse du serveur a changé depuis la demande\u00a0: rien n’a été lancé.');
  }
  return connection;
}

type HostConnection = { access: SshAccess; input: object };

async function connectToServer(
  manager: EntityManager,
  { serverId: id, input }: Job,
): Promise<HostConnection | AppError> {
  const server = id === null ? null : await manager.findOneBy(Server, { id });
  if (!server) return new AppError('not_found', 'Ce serveur n’existe plus.');
  return { access: toAccess(server, await isAdministrator(manager, server.ownerId)), input };
}

/** Replaces the site in the input, which is as old as the request. */
async function connectToSite(manager: EntityManager, { input }: Job, id: string): Promise<HostConnection | AppError> {
  const site = await manager.findOneBy(Site, { id });
  const [connection] = site ? await connectionsOf(manager, [site]) : [];
  if (!connection) return new AppError('not_found', 'Ce site n’existe plus.');
  const access = siteAccess(connection, await isAdministrator(manager, connection.site.ownerId));
  if (access instanceof AppError) return access;
  // The old wp-content folder may belong to another site by now.
  const content = 'content' in input && { content: (await findContentFolders(manager, [id])).get(id) ?? null };
  return { access, input: { ...input, ...content, site: toSiteToRead(connection.site) } };
}

type JobFence = { id: string; fence: number };

async function requireFence(manager: EntityManager, contract: Contract, { id, fence }: JobFence): Promise<Job> {
  const job = await lockJob(manager, id);
  if (job?.fence !== fence || job.state !== 'running') throw leaseLost(contract);
  return job;
}

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
