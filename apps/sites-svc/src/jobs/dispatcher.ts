import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { keepPlans, queryPrepared } from '@vigie/service-kit/database';
import { tryLockName } from '@vigie/service-kit/locks';
import { type Log, makeLog } from '@vigie/service-kit/log';
import { leasesLost } from '@vigie/service-kit/measures';
import { DataSource, type EntityManager } from 'typeorm';
import { env } from '../env';
import { endJob, lockJob } from './end-job';
import { isOpen, queues as queueNames } from '../queue/job.entity';
import { DispatchSchedule } from '../queue/dispatch-schedule';
import { JobQueues, type Queued, type WakeUp } from '../queue/job-queues';

const reconcileEveryMs = env.VIGIE_RECONCILE_SECONDS * 1_000;
const laneCap = 3;
/** Jobs of a backlog in each queue: as many as workers can claim before the next dispatch. */
const maxInQueue = 500;
/** Time for a worker to claim a wake-up before the dispatcher checks it. */
const dispatchLeaseSeconds = 30;
/** A job whose workers die one after the other is ended after this many claims. */
const maxClaims = 10;
/** Shorter than hosts keep their journals: without one, an agent would begin the work again. */
const maxDays = 6;

/** A job that no worker has claimed, and whether its queue has lost it. */
type UntakenJob = { id: string; isMissing: boolean };

/** Queues waiting jobs, one replica at a time, and takes back jobs whose worker is lost. */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private reconciledAt = 0;

  constructor(
    private readonly database: DataSource,
    private readonly queues: JobQueues,
    private readonly schedule: DispatchSchedule,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule.start(() => this.dispatch());
  }

  onApplicationShutdown(): void {
    this.schedule.stop();
  }

  private async dispatch(): Promise<void> {
    try {
      const isDue = performance.now() - this.reconciledAt > reconcileEveryMs;
      const untaken = isDue || this.reconciledAt === 0 ? await this.checkUntaken() : undefined;
      const picked = await this.database.transaction((manager) => this.pick(manager, untaken));
      if (picked.length > 0) await this.enqueue(picked);
    } catch (error) {
      this.log.warn({ err: error }, 'jobs could not be dispatched');
    }
  }

  private async checkUntaken(): Promise<UntakenJob[]> {
    const untaken: Queued[] = await this.database.query(
      `select id, attempts, queue from jobs where ${isUntaken} order by lease_until limit ${maxInQueue * queueNames.length}`,
    );
    // Without Redis nothing could be queued again either.
    const waiting = await this.queues.findWaiting(untaken).catch(() => untaken);
    return untaken.map((wakeUp) => ({ id: wakeUp.id, isMissing: !waiting.includes(wakeUp) }));
  }

  private async pick(manager: EntityManager, untaken: readonly UntakenJob[] | undefined): Promise<WakeUp[]> {
    // Two replicas at once would both fill the same free places.
    if (!(await tryLockName(manager, 'dispatch'))) return [];
    const retaken = untaken ? await this.reconcile(manager, untaken) : [];
    await manager.query(keepPlans);
    return [...retaken, ...(await queryPrepared<WakeUp>(manager, pickSql))];
  }

  /**
   * Waits for a wake-up that is still queued, however long the workers are busy. A missing one becomes another attempt:
   * BullMQ ignores a job id that it may still know.
   */
  private async reconcile(manager: EntityManager, jobs: readonly UntakenJob[]): Promise<WakeUp[]> {
    await takeBackAbandoned(manager, this.log);
    this.reconciledAt = performance.now();
    const [taken]: [(WakeUp & { is_missing: boolean })[], number] = await manager.query(
      `with untaken as (
         select j.id, l.is_missing from jobs j join unnest($2::uuid[], $3::boolean[]) as l(id, is_missing) on l.id = j.id
         where j.id in (select id from jobs where ${isUntaken}) order by j.id for update of j skip locked)
       update jobs set lease_until = now() + make_interval(secs => $1), attempts = attempts + untaken.is_missing::int
       from untaken where jobs.id = untaken.id returning jobs.id, attempts, queue, ${isBegun('jobs')} as is_begun, untaken.is_missing`,
      [dispatchLeaseSeconds, jobs.map(({ id }) => id), jobs.map(({ isMissing }) => isMissing)],
    );
    return taken.filter(({ is_missing: isMissing }) => isMissing);
  }

  private async enqueue(picked: readonly WakeUp[]): Promise<void> {
    try {
      await this.queues.add(picked);
    } catch (error) {
      this.log.warn({ err: error, jobs: picked.length }, 'Redis is away: the jobs wait');
      await this.database.query(
        `update jobs set dispatched_at = null, lease_until = null, not_before = now() + interval '2 seconds'
         from unnest($1::uuid[], $2::int[]) as p(id, attempt)
         where jobs.id = p.id and jobs.attempts = p.attempt and jobs.claimed_attempt < p.attempt`,
        [picked.map(({ id }) => id), picked.map(({ attempts }) => attempts)],
      );
    }
  }
}

/** SQL: the job started so long ago that its host may have deleted the journal, and an agent would begin it again. */
const isForgotten = (row: string) =>
  `${row}.state = 'running' and ${row}.started_at < now() - interval '${maxDays} days'`;
const isWaiting = (row: string) =>
  `${isOpen(row)} and ${row}.lead_id is null and ${row}.dispatched_at is null and ${row}.not_before <= now() and not (${isForgotten(row)})`;
const isBusy = (row: string) => `${isOpen(row)} and ${row}.dispatched_at is not null`;
/** SQL: the job has begun work on its site and not ended it, whether it runs or waits. */
const isBegun = (row: string) => `${row}.state = 'running' and not ${row}.is_batch`;
/** SQL: the job has begun and waits for a worker. It keeps its place on its host. */
const isUnattended = (row: string) => `${isBegun(row)} and ${row}.dispatched_at is null`;
/** SQL: the job waits because its host does not answer. */
const isPaused = (row: string) => `${isUnattended(row)} and ${row}.not_before > now()`;
const isAbandoned = `${isBusy('jobs')} and lease_until < now()`;
/** SQL: no worker has claimed the last attempt. */
const isUntaken = `${isAbandoned} and claimed_attempt < attempts`;
/** SQL: the last worker is dead, or slower than its lease. */
const hasLostWorker = `${isAbandoned} and claimed_attempt = attempts`;

/** SQL: the job that this one was done with has ended without it. */
const hasLostLead = `jobs.state = 'running' and dispatched_at is null
  and not exists (select from jobs lead where lead.id = jobs.lead_id and ${isOpen('lead')}) and lead_id is not null`;

const isStale = `${isForgotten('jobs')} and not is_batch and dispatched_at is null`;

/** SQL: another heavy job of the lane, of the same queue. Those of another queue take other places of an agent. */
const isHeavyBeside = 'b.lane = j.lane and b.queue = j.queue and b.is_heavy';

/** SQL for the jobs of lane `l` that no exclusive or heavy job blocks. */
const candidates = (condition: string) => `
  select j.id, j.lane, j.site_id, j.is_exclusive, j.is_heavy, j.created_at, j.queue, j.state = 'running' as is_begun from jobs j
  where j.lane = l.lane and ${isWaiting('j')} and ${condition}
    and not (j.is_exclusive and exists (
      select from jobs b where b.site_id = j.site_id and b.is_exclusive and (${isBusy('b')} or ${isBegun('b')}) and j.id not in (b.id, coalesce(b.lead_id, b.id))))
    and not (j.is_heavy and exists (
      select from jobs b where ${isHeavyBeside} and ${isBusy('b')}))`;
const pickOrder = 'is_begun desc, created_at, id';

/**
 * Picks begun jobs, then the oldest of each lane, as many as the lane has places. A begun job keeps its place while it
 * waits, and no other heavy job begins beside it. Lanes are walked along their index, so that a server with a hundred
 * thousand jobs costs as much as one with two.
 */
const pickSql = `
  with recursive lanes as (
    (select lane from jobs where ${isWaiting('jobs')} order by lane limit 1)
    union all
    select (select j.lane from jobs j where j.lane > l.lane and ${isWaiting('j')} order by j.lane limit 1)
    from lanes l where l.lane is not null
  ), heads as (
    select h.id, h.created_at, h.queue, h.is_begun,
      row_number() over (partition by case when h.is_exclusive then h.site_id else h.id end order by ${pickOrder}) as of_site,
      row_number() over (partition by case when h.is_heavy then h.lane || ' ' || h.queue else h.id::text end order by ${pickOrder}) as of_weight
    from lanes l cross join lateral (
      select * from (
        (${candidates(isUnattended('j'))})
        union all
        (${candidates("j.state = 'queued'")}
          and not (j.is_heavy and exists (
            select from jobs b where ${isHeavyBeside} and ${isUnattended('b')}))
        order by j.created_at, j.id limit ${laneCap})
      ) c
      order by ${pickOrder}
      limit greatest(0, ${laneCap} - (select count(*) from jobs b where b.lane = l.lane and ${isBusy('b')} and b.lead_id is null)
        - (select count(*) from jobs b where b.lane = l.lane and ${isPaused('b')} and not b.is_resting and b.lead_id is null))
    ) h
    where l.lane is not null
  ), ranked as (
    select id, queue, is_begun, row_number() over (partition by queue order by ${pickOrder}) as of_queue
    from heads where of_site = 1 and of_weight = 1
  ), untaken as (
    select queue, count(*) as n from jobs where ${isBusy('jobs')} and claimed_attempt < attempts group by queue
  ), picked as (
    -- A row that a cancellation has locked is skipped, so that it delays no other job.
    select id from jobs where ${isWaiting('jobs')} and id = any(array(
      select r.id from ranked r left join untaken u on u.queue = r.queue
      where r.is_begun or r.of_queue <= ${maxInQueue} - coalesce(u.n, 0)))
    for update skip locked
  )
  update jobs set dispatched_at = now(), attempts = attempts + 1, lease_until = now() + make_interval(secs => ${dispatchLeaseSeconds})
  where id = any(array(select id from picked))
  returning id, attempts, queue, ${isBegun('jobs')} as is_begun`;

/** Jobs that lost their worker are queued again: the next worker continues from the host's journal. */
async function takeBackAbandoned(manager: EntityManager, log: Log): Promise<void> {
  const hasTooManyClaims = `${hasLostWorker} and claims >= ${maxClaims}`;
  await endAll(manager, hasTooManyClaims, 'Les processus chargés de cette tâche se sont arrêtés à chaque essai.', log);
  await endAll(
    manager,
    isStale,
    `Commencée il y a plus de ${maxDays}\u00a0jours, cette tâche n’a pas pu être suivie jusqu’au bout\u00a0: son effet est inconnu. Vérifiez le site, puis relancez-la au besoin.`,
    log,
  );
  await endAll(
    manager,
    hasLostLead,
    'La tâche avec laquelle celle-ci se faisait s’est arrêtée avant la fin\u00a0: son effet est inconnu. Vérifiez le site, puis relancez-la au besoin.',
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
    // A job that cannot be ended must not block the others.
    await manager
      .transaction((nested) => endUnlessChanged(nested, id, condition, message))
      .catch((error: unknown) => log.warn({ err: error, job: id }, 'an abandoned job could not be ended'));
  }
}

async function endUnlessChanged(manager: EntityManager, id: string, condition: string, message: string): Promise<void> {
  const job = await lockJob(manager, id);
  // A worker may have renewed or finished the job meanwhile.
  const matching: unknown[] = await manager.query(`select id from jobs where id = $1 and ${condition}`, [id]);
  if (!job || matching.length === 0) return;
  await endJob(manager, job, { state: job.startedAt ? 'unknown' : 'failed', result: null, error: { message } });
}
