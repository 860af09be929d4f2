import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  claimJob,
  claimJobs,
  type ClaimedJob,
  finishJob,
  type JobClaim,
  jobsCancelled,
  releaseJob,
} from '@vigie/contracts/jobs';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { runInContext } from '@vigie/service-kit/context';
import { operationsUnknown } from '@vigie/service-kit/measures';
import { readAtScrape } from '@vigie/service-kit/metrics';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { inSpan } from '@vigie/service-kit/traces';
import { SshFailure } from '@vigie/ssh/failure';
import type { Worker } from 'bullmq';
import { openAccess } from '../credentials/credential';
import { hideSecretIn, hideSecret } from '../credentials/hide-secret';
import { errorOf } from '../error-of';
import { GatheredCalls } from './gathered-calls';
import { LeasedJobs, type JobLease } from './leased-jobs';
import {
  type JobContext,
  type JobHandlers,
  type RetryLater,
  nextStep,
  type Outcome,
  type ResumeAt,
} from './job-handler';
import { openQueueWorker } from './queue-worker';
import { ProgressReporter } from './progress-reporter';

const handoverMs = 4_000;
const retryMs = 1_000;
/** Shorter than the time for which an attempt can be claimed. */
const claimMs = 20_000;

type WakeUp = { id: string; attempt: number };
type Claim = { job: JobClaim | null; requestedAt: number };
type Secret = { auth: { password: string } };

/** Takes jobs from the queues, runs the handler of their kind, and tells the ledger how they ended. */
export class JobWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly agent = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  private readonly leases: LeasedJobs;
  private readonly keyRing: KeyRing;
  private readonly workers: Worker[] = [];
  /** Number of wake-ups whose claim is under way: their jobs are given back, too, when the process stops. */
  private claiming = 0;
  private readonly claims = new GatheredCalls((wakeUps: WakeUp[]) => this.claimTogether(wakeUps));

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'log' | 'keys'>,
    private readonly queues: { redisUrl: string; operations: number },
    private readonly handlers: JobHandlers,
  ) {
    this.leases = new LeasedJobs(kit.bus, this.agent);
    this.keyRing = new KeyRing(kit.keys);
    readAtScrape('leases', () => [{ name: 'vigie_leases_held', value: this.leases.size }]);
  }

  onApplicationBootstrap(): void {
    this.kit.bus.subscribe(jobsCancelled, ({ ids }) => this.leases.cancel(ids));
    const { redisUrl, operations } = this.queues;
    const places = { 'site-looks': 64, 'site-ops': operations, 'site-transfers': 4, 'site-commands': 8 };
    for (const [name, max] of Object.entries(places)) {
      const consume = (data: WakeUp) => this.runAttempt(data);
      this.workers.push(openQueueWorker(this.kit, redisUrl, { name, concurrency: max, consume }));
    }
  }

  /** Operations go on running on their hosts, where another agent follows them. */
  async onApplicationShutdown(): Promise<void> {
    const closed = this.workers.map((worker) => worker.close(true).catch(() => undefined));
    this.leases.handOver();
    const until = performance.now() + handoverMs;
    while (this.leases.size + this.claiming > 0 && performance.now() < until) await wait(20);
    this.leases.close();
    await Promise.race([Promise.all(closed), wait(500)]);
  }

  /** Runs the job that a queue announced, unless another worker has claimed it. */
  async runAttempt(wakeUp: WakeUp): Promise<void> {
    const { id, attempt } = wakeUp;
    this.claiming += 1;
    const { job, requestedAt } = await this.claims
      .call(wakeUp, () => this.claim(wakeUp))
      .finally(() => {
        this.claiming -= 1;
      });
    if (!job) return;
    const attributes = { 'vigie.job.id': id, 'vigie.job.kind': job.kind, 'vigie.job.attempt': attempt };
    // Logs carry the id of the job, and its trace continues that of the request which created it.
    await runInContext({ requestId: id, traceparent: job.traceparent ?? undefined }, () =>
      inSpan({ name: `job ${job.kind}`, kind: 'consumer', attributes }, async (note) => {
        const ending = await this.execute(job, requestedAt);
        note({ 'vigie.job.state': stateAfter(ending) });
      }),
    );
  }

  private async execute(job: JobClaim, requestedAt: number): Promise<Ending> {
    const lead = this.openAttempt(job, requestedAt);
    const companions = job.companions.map((companion) => this.openAttempt(companion, requestedAt));
    // The lead ends last, because the ledger gives its companions only with it.
    const attempts = [...companions, lead];
    try {
      const secret = await this.secretOf(job);
      const endings = await this.run(lead, companions, secret);
      for (const attempt of attempts) await this.end(attempt, withSecretHidden(endings.get(attempt.job.id), secret));
      return endings.get(job.id);
    } finally {
      for (const attempt of attempts) this.leases.release(attempt.job.id, attempt.lease);
    }
  }

  private openAttempt(job: ClaimedJob, requestedAt: number): Attempt {
    const lease = this.leases.add(job.id, job.fence, requestedAt);
    if (job.is_cancelling) this.leases.cancel([job.id]);
    return { job, lease, reporter: new ProgressReporter(this.kit.bus, job) };
  }

  private async end({ job, lease, reporter }: Attempt, ending: Ending): Promise<void> {
    // A job that was given back takes no more lines.
    await reporter.end(lease.leaseSignal);
    if (ending === undefined) return;
    if (typeof ending === 'object' && 'reason' in ending) return this.release(job, lease, ending);
    if (typeof ending === 'object' && ending.state === 'unknown') operationsUnknown.inc({ kind: job.kind });
    await this.finish(job, lease, ending);
  }

  /** A wake-up is delivered once, so a ledger that is away is asked again for as long as the attempt can be claimed. */
  private async claim(wakeUp: WakeUp): Promise<Claim> {
    const until = performance.now() + claimMs;
    for (;;) {
      const requestedAt = performance.now();
      try {
        const { job } = await this.kit.bus.call(claimJob, { ...wakeUp, ...this.identity });
        return { job, requestedAt };
      } catch (error) {
        const isAway = error instanceof AppError && error.code === 'unavailable';
        if (!isAway || performance.now() > until) throw error;
        await wait(retryMs);
      }
    }
  }

  private async claimTogether(wakeUps: WakeUp[]): Promise<Map<string, Claim>> {
    const requestedAt = performance.now();
    const { jobs } = await this.kit.bus.call(claimJobs, { wake_ups: wakeUps, ...this.identity });
    return new Map(jobs.map((job) => [job.id, { job, requestedAt }]));
  }

  private get identity() {
    return { agent: this.agent, kinds: Object.keys(this.handlers), takes_companions: true };
  }

  /** The password that the host was offered, and may repeat in its output. */
  private async secretOf({ access }: ClaimedJob): Promise<Secret> {
    const { password = '' } = access ? await openAccess(this.keyRing, access).catch(() => ({ password: '' })) : {};
    return { auth: { password } };
  }

  /** How each of the jobs ends; one that is not in the answer keeps its lease until that is over. */
  private async run(
    lead: Attempt,
    companions: readonly Attempt[],
    secret: Secret,
  ): Promise<ReadonlyMap<string, Ending>> {
    const { job } = lead;
    const handler = this.handlers[job.kind];
    if (!handler) throw new Error(`no handler of ${job.kind}`);
    try {
      const others = companions.map((companion) => contextOf(companion, secret));
      const outcome = await handler({ ...contextOf(lead, secret), companions: others });
      if ('state' in outcome) return new Map([[job.id, outcome]]);
      return new Map([...outcome].map(([id, each]) => [id, each === 'alone' ? alone : each]));
    } catch (error) {
      return new Map(
        [...companions, lead].map((attempt) => [attempt.job.id, this.endingOfError(lead, attempt, error)]),
      );
    }
  }

  /** A companion shares what its lead has begun and the lead's lease; its cancellation is its own. */
  private endingOfError({ job, lease, reporter }: Attempt, { lease: { signal } }: Attempt, error: unknown): Ending {
    const { hasCheckpoint } = reporter;
    const next = nextStep(error, { job, hasCheckpoint, ...lease, signal });
    if (next.kind === 'unknown') return { state: next.kind, error: next.error };
    if (next.kind === 'lease-ended') return lease.leaseSignal.reason === 'handover' ? handover : undefined;
    if (next.kind === 'cancelled') return next.kind;
    if (next.kind === 'failed') return this.failureOf(job, error, job.was_started || hasCheckpoint);
    if (next.kind === 'resume') return { ...waitOf(next.error), isResting: true };
    return { ...waitOf(next.error), isUntouched: next.kind === 'restart' };
  }

  /** A refusal in the middle of a job says nothing of the operation that it may have started before. */
  private failureOf(job: ClaimedJob, error: unknown, mayHaveStarted: boolean): Outcome {
    const state = mayHaveStarted ? 'unknown' : 'failed';
    if (error instanceof AppError) return { state, error: { message: error.message, code: error.code } };
    if (error instanceof SshFailure) {
      return { state: error.wasStarted === 'unknown' ? 'unknown' : 'failed', error: errorOf(error) };
    }
    this.kit.log.error({ err: error, job: job.id, kind: job.kind }, 'a job failed with an internal error');
    const message = `Une erreur interne a interrompu la tâche\u00a0; elle est dans le journal sous ${job.id}.`;
    return { state, error: { message, code: 'internal' } };
  }

  /** Repeats it until the ledger has stored it: a companion must not stay with a lead that goes on without it. */
  private async release({ id, fence }: ClaimedJob, { leaseSignal }: JobLease, release: Release): Promise<void> {
    const { ms, reason, isUntouched, isAlone, isResting } = release;
    const flags = { is_untouched: isUntouched, is_alone: isAlone, is_resting: isResting };
    while (leaseSignal.reason !== 'lost') {
      try {
        await this.kit.bus.call(releaseJob, { id, fence, wait_ms: ms, reason, ...flags });
        return;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unavailable') {
          // The lease expires by itself.
          this.kit.log.warn({ err: error, job: id }, 'a job could not be released');
          return;
        }
        await wait(retryMs);
      }
    }
  }

  /** Repeats the result until the ledger has stored it, or has given the job to another worker. */
  private async finish(job: ClaimedJob, { leaseSignal }: JobLease, outcome: Outcome | 'cancelled'): Promise<void> {
    const { id, fence } = job;
    let ending: RecordedEnding = outcome === 'cancelled' ? cancelled : { result: null, error: null, ...outcome };
    while (leaseSignal.reason !== 'lost') {
      try {
        await this.kit.bus.call(finishJob, { id, fence, ...ending });
        return;
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'unavailable';
        if (code !== 'unavailable') this.kit.log.warn({ err: error, job: id }, 'the end of a job was refused');
        if (code === 'conflict' || (code !== 'unavailable' && ending === unrecordable)) return;
        // Without an end the job would run again on another worker, and end in the same way.
        if (code !== 'unavailable') ending = unrecordable;
        else await wait(retryMs);
      }
    }
  }
}

function contextOf({ job, lease, reporter }: Attempt, secret: Secret): JobContext {
  return {
    job,
    ...lease,
    report: (progress, ...lines) => {
      const step = progress && { ...progress, step: hideSecret(progress.step, secret) };
      reporter.report(
        step,
        lines.map((line) => hideSecret(line, secret)),
      );
    },
    reportAt: (offset, send) => reporter.reportAt(offset, send),
    saveCheckpoint: (checkpoint) => reporter.saveCheckpoint(checkpoint, lease.leaseSignal),
  };
}

function withSecretHidden(ending: Ending, secret: Secret): Ending {
  return typeof ending === 'object' ? hideSecretIn(ending, secret) : ending;
}

type Attempt = { job: ClaimedJob; lease: JobLease; reporter: ProgressReporter };
type Release = { ms: number; reason: string; isUntouched?: boolean; isAlone?: boolean; isResting?: boolean };
/** What happens to a job after an attempt; undefined when its lease was lost. */
type Ending = Outcome | 'cancelled' | Release | undefined;

const waitOf = ({ waitMs, message }: RetryLater | ResumeAt) => ({ ms: waitMs, reason: message });
const handover: Release = {
  ms: 0,
  reason: 'Le processus s’arrête\u00a0: un autre prend la suite.',
};
const alone: Release = {
  ms: 0,
  reason: 'Cette mise à jour attend son tour, pour être faite seule.',
  isUntouched: true,
  isAlone: true,
};

function stateAfter(ending: Ending): string {
  if (ending === 'cancelled') return ending;
  return ending && 'state' in ending ? ending.state : 'released';
}

type RecordedEnding = Omit<Input<typeof finishJob>, 'id' | 'fence'>;

const cancelled: RecordedEnding = { state: 'cancelled', result: null, error: null };
const unrecordable: RecordedEnding = {
  state: 'unknown',
  result: null,
  error: { message: 'La tâche s’est terminée, mais son résultat n’a pas pu être enregistré.' },
};
