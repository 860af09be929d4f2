import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { jobsAdded } from '@vigie/contracts/jobs';
import { Bus } from '@vigie/service-kit/bus';
import { tryLockName } from '@vigie/service-kit/locks';
import { type Log, makeLog } from '@vigie/service-kit/log';
import { leasesLost } from '@vigie/service-kit/measures';
import { DataSource, type EntityManager } from 'typeorm';
import { env } from '../env';
import { endJob, lockJob } from './end-job';
import { isOpen, queues as queueNames } from './job.entity';
import { JobQueues, type Queued, type WakeUp } from './job-queues';

const tickMs = 1_000;
/** After a hint, so that many of them make one look. */
const hintDelayMs = 30;
const reconcileEveryMs = env.VIGIE_RECONCILE_SECONDS * 1_000;
const laneCap = 3;
/** How much of a backlog is in each queue: as much as the workers can take up before the next look. */
const maxInQueue = 500;
/** Until a wake-up that nobody has taken is looked after. */
const dispatchLeaseSeconds = 30;
/** A job whose workers die one after the other is not given to yet another one. */
const maxClaims = 10;
/** Less than hosts keep their journals: after that nobody could tell that it was begun. */
const maxDays = 6;

/** A wake-up that nobody has taken, and whether its queue has it no more. */
type UntakenJob = { id: string; isMissing: boolean };

/** Hands waiting jobs to the queues, one replica at a time, and takes back what nobody holds any more. */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private tick: NodeJS.Timeout | undefined;
  private hint: NodeJS.Timeout | undefined;
  private reconciledAt = 0;
  private isDispatching = false;
  private isStopped = false;

  constructor(
    private readonly database: DataSource,
    private readonly queues: JobQueues,
    private readonly bus: Bus,
  ) {}

  onApplicationBootstrap(): void {
    this.tick = setInterval(() => void this.dispatch(), tickMs);
    this.bus.subscribe(jobsAdded, () => this.scheduleDispatch());
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    clearInterval(this.tick);
    clearTimeout(this.hint);
  }

  /** There is something to do: now, not at the next tick. Other replicas hear of it too. */
  announce(): void {
    this.scheduleDispatch();
    this.bus.publish(jobsAdded, {});
  }

  scheduleDispatch(): void {
    if (!this.isStopped) this.hint ??= setTimeout(() => void this.dispatch(), hintDelayMs);
  }

  private async dispatch(): Promise<void> {
    this.hint = undefined;
    if (this.isDispatching || this.isStopped) return;
    this.isDispatching = true;
    try {
      const isDue = performance.now() - this.reconciledAt > reconcileEveryMs;
      const looked = isDue || this.reconciledAt === 0 ? await this.checkUntaken() : undefined;
      const picked = await this.database.transaction((manager) => this.pick(manager, looked));
      if (picked.length > 0) await this.enqueue(picked);
    } catch (error) {
      this.log.warn({ err: error }, 'jobs could not be dispatched');
    } finally {
      this.isDispatching = false;
    }
  }

  /** What nobody has taken for long: is it still in its queue? */
  private async checkUntaken(): Promise<UntakenJob[]> {
    const untaken: Queued[] = await this.database.query(
      `select id, attempts, queue from jobs where ${isUntaken} order by lease_until limit ${maxInQueue * queueNames.length}`,
    );
    // While the queue is away nothing can be added to it either.
    const waiting = await this.queues.findWaiting(untaken).catch(() => untaken);
    return untaken.map((wakeUp) => ({ id: wakeUp.id, isMissing: !waiting.includes(wakeUp) }));
  }

  private async pick(manager: EntityManager, looked: readonly UntakenJob[] | undefined): Promise<WakeUp[]> {
    // Two that pick at once would both count the same room.
    if (!(await tryLockName(manager, 'dispatch'))) return [];
    const retaken = looked ? await this.reconcile(manager, looked) : [];
    const [rows]: [WakeUp[], number] = await manager.query(pickSql, [laneCap, maxInQueue, dispatchLeaseSeconds]);
    return [...retaken, ...rows];
  }

  /**
   * A wake-up that is still in its queue is waited for, however long its workers are busy. One that is missing is another
   * attempt: under its old name a queue that has not noticed would not take it.
   */
  private async reconcile(manager: EntityManager, looked: readonly UntakenJob[]): Promise<WakeUp[]> {
    await takeBackAbandoned(manager, this.log);
    this.reconciledAt = performance.now();
    const [untaken]: [(WakeUp & { is_missing: boolean })[], number] = await manager.query(
      `with looked as (
         select j.id, l.is_missing from jobs j join unnest($2::uuid[], $3::boolean[]) as l(id, is_missing) on l.id = j.id
         where j.id in (select id from jobs where ${isUntaken}) order by j.id for update of j skip locked)
       update jobs set lease_until = now() + make_interval(secs => $1), attempts = attempts + looked.is_missing::int
       from looked where jobs.id = looked.id returning jobs.id, attempts, queue, ${isBegun('jobs')} as is_begun, looked.is_missing`,
      [dispatchLeaseSeconds, looked.map(({ id }) => id), looked.map(({ isMissing }) => isMissing)],
    );
    return untaken.filter(({ is_missing: isMissing }) => isMissing);
  }

  private async enqueue(picked: readonly WakeUp[]): Promise<void> {
    try {
      await this.queues.add(picked);
    } catch (error) {
      this.log.warn({ err: error, jobs: picked.length }, 'the queue is away: the jobs wait');
      await this.database.query(
        `update jobs set dispatched_at = null, lease_until = null, not_before = now() + interval '2 seconds'
         from unnest($1::uuid[], $2::int[]) as p(id, attempt)
         where jobs.id = p.id and jobs.attempts = p.attempt and jobs.claimed_attempt < p.attempt`,
        [picked.map(({ id }) => id), picked.map(({ attempts }) => attempts)],
      );
    }
  }
}

/** Begun so long ago that its host may have forgotten it: whoever took it up would begin it again. */
const isForgotten = (row: string) =>
  `${row}.state = 'running' and ${row}.started_at < now() - interval '${maxDays} days'`;
const isWaiting = (row: string) =>
  `${isOpen(row)} and ${row}.dispatched_at is null and ${row}.not_before <= now() and not (${isForgotten(row)})`;
const isBusy = (row: string) => `${isOpen(row)} and ${row}.dispatched_at is not null`;
/** Whether it runs, waits or rests: what it began on its site it has not ended. */
const isBegun = (row: string) => `${row}.state = 'running' and not ${row}.is_batch`;
/** It waits for somebody to go on with it: what it holds on its host it goes on holding. */
const isLeft = (row: string) => `${isBegun(row)} and ${row}.dispatched_at is null`;
/** Its host does not answer just now. */
const isPaused = (row: string) => `${isLeft(row)} and ${row}.not_before > now()`;
const isAbandoned = `${isBusy('jobs')} and lease_until < now()`;
/** Nobody took it up. */
const isUntaken = `${isAbandoned} and claimed_attempt < attempts`;
/** Whoever claimed it last is dead, or slower than its lease. */
const hasLostWorker = `${isAbandoned} and claimed_attempt = attempts`;

/** Its host has not been back since. */
const isOld = `${isForgotten('jobs')} and not is_batch and dispatched_at is null`;

/** Of each lane what nothing keeps from its site. */
const candidates = (condition: string) => `
  select j.id, j.lane, j.site_id, j.is_exclusive, j.is_heavy, j.created_at, j.queue, j.state = 'running' as is_begun from jobs j
  where j.lane = l.lane and ${isWaiting('j')} and ${condition}
    and not (j.is_exclusive and exists (
      select from jobs b where b.site_id = j.site_id and b.is_exclusive and (${isBusy('b')} or ${isBegun('b')}) and b.id <> j.id))
    and not (j.is_heavy and exists (
      select from jobs b where b.lane = j.lane and b.is_heavy and ${isBusy('b')}))`;
const inTurn = 'is_begun desc, created_at, id';

/**
 * What has begun, then the oldest of each lane, as many as it has room for: what has begun keeps its place while it waits,
 * whatever is in its queue, and nothing as heavy begins beside it. Lanes are walked along their index, so that a server
 * with a hundred thousand jobs costs as much as one with two.
 */
const pickSql = `
  with recursive lanes as (
    (select lane from jobs where ${isWaiting('jobs')} order by lane limit 1)
    union all
    select (select j.lane from jobs j where j.lane > l.lane and ${isWaiting('j')} order by j.lane limit 1)
    from lanes l where l.lane is not null
  ), heads as (
    select h.id, h.created_at, h.queue, h.is_begun,
      row_number() over (partition by case when h.is_exclusive then h.site_id else h.id end order by ${inTurn}) as of_site,
      row_number() over (partition by case when h.is_heavy then h.lane else h.id::text end order by ${inTurn}) as of_weight
    from lanes l cross join lateral (
      select * from (
        (${candidates(isLeft('j'))})
        union all
        (${candidates("j.state = 'queued'")}
          and not (j.is_heavy and exists (
            select from jobs b where b.lane = j.lane and b.is_heavy and ${isLeft('b')}))
        order by j.created_at, j.id limit $1)
      ) c
      order by ${inTurn}
      limit greatest(0, $1 - (select count(*) from jobs b where b.lane = l.lane and ${isBusy('b')})
        - (select count(*) from jobs b where b.lane = l.lane and ${isPaused('b')} and not b.is_resting))
    ) h
    where l.lane is not null
  ), ranked as (
    select id, queue, is_begun, row_number() over (partition by queue order by ${inTurn}) as of_queue
    from heads where of_site = 1 and of_weight = 1
  ), untaken as (
    select queue, count(*) as n from jobs where ${isBusy('jobs')} and claimed_attempt < attempts group by queue
  ), picked as (
    -- What somebody holds, to cancel it perhaps, keeps nothing else waiting.
    select id from jobs where ${isWaiting('jobs')} and id = any(array(
      select r.id from ranked r left join untaken u on u.queue = r.queue
      where r.is_begun or r.of_queue <= $2 - coalesce(u.n, 0)))
    for update skip locked
  )
  update jobs set dispatched_at = now(), attempts = attempts + 1, lease_until = now() + make_interval(secs => $3)
  where id = any(array(select id from picked))
  returning id, attempts, queue, ${isBegun('jobs')} as is_begun`;

/** Of what has lost its worker the next one goes on from what is on the host; what nobody can go on with ends. */
async function takeBackAbandoned(manager: EntityManager, log: Log): Promise<void> {
  const hasTooManyClaims = `${hasLostWorker} and claims >= ${maxClaims}`;
  await endAll(manager, hasTooManyClaims, 'Les processus chargés de cette tâche se sont arrêtés à chaque essai.', log);
  await endAll(
    manager,
    isOld,
    `Commencée il y a plus de ${maxDays}\u00a0jours, cette tâche n’a pas pu être suivie jusqu’à son terme\u00a0: ce qu’elle a fait n’est pas connu. Regardez où en est le site, puis relancez-la s’il le faut.`,
    log,
  );
  const [, lost]: [unknown, number] = await manager.query(
    `update jobs set dispatched_at = null, lease_until = null
     where id in (select id from jobs where ${hasLostWorker} and claims < ${maxClaims} for update skip locked)`,
  );
  leasesLost.inc({ side: 'ledger' }, lost);
}

async function endAll(manager: EntityManager, condition: string, message: string, log: Log): Promise<void> {
  const jobs: { id: string }[] = await manager.query(`select id from jobs where ${condition} limit 100`);
  for (const { id } of jobs) {
    // One that cannot be ended keeps none of the others from their turn.
    await manager
      .transaction((nested) => endUnlessChanged(nested, id, condition, message))
      .catch((error: unknown) =>
        log.warn({ err: error, job: id }, 'a job that nobody goes on with could not be ended'),
      );
  }
}

async function endUnlessChanged(manager: EntityManager, id: string, condition: string, message: string): Promise<void> {
  const job = await lockJob(manager, id);
  // Renewed, or over, since it was found.
  const unchanged: unknown[] = await manager.query(`select id from jobs where id = $1 and ${condition}`, [id]);
  if (!job || unchanged.length === 0) return;
  await endJob(manager, id, { state: job.startedAt ? 'unknown' : 'failed', result: null, error: { message } });
}
