import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { claimJob, claimJobs, type ClaimedJob, finishJob, jobsCancelled, releaseJob } from '@vigie/contracts/jobs';
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
  type JobHandlers,
  type RetryLater,
  type StopReason,
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
type Claim = { job: ClaimedJob | null; requestedAt: number };
type AttemptOutcome = Outcome | 'cancelled' | undefined;
type Secret = { auth: { password: string } };
type JobOutput = { reporter: ProgressReporter; secret: Secret };

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
    for (const [name, max] of Object.entries({ 'site-looks': 64, 'site-ops': operations, 'site-transfers': 4 })) {
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
        const outcome = await this.execute(job, requestedAt);
        const state = outcome === 'cancelled' ? outcome : outcome?.state;
        if (state === 'unknown') operationsUnknown.inc({ kind: job.kind });
        note({ 'vigie.job.state': state ?? 'released' });
      }),
    );
  }

  private async execute(job: ClaimedJob, requestedAt: number): Promise<AttemptOutcome> {
    const { id } = job;
    const lease = this.leases.add(id, job.fence, requestedAt);
    const reporter = new ProgressReporter(this.kit.bus, job);
    try {
      if (job.is_cancelling) this.leases.cancel([id]);
      const secret = await this.secretOf(job);
      const outcome = withSecretHidden(await this.run(job, lease, { reporter, secret }), secret);
      await reporter.end();
      if (outcome) await this.finish(job, lease, outcome);
      return outcome;
    } finally {
      this.leases.release(id, lease);
    }
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
    return { agent: this.agent, kinds: Object.keys(this.handlers) };
  }

  /** The password that the host was offered, and may repeat in its output. */
  private async secretOf({ access }: ClaimedJob): Promise<Secret> {
    const { password = '' } = access ? await openAccess(this.keyRing, access).catch(() => ({ password: '' })) : {};
    return { auth: { password } };
  }

  /** Undefined when the job has not ended: its lease did, or it is tried again later. */
  private async run(job: ClaimedJob, lease: JobLease, { reporter, secret }: JobOutput): Promise<AttemptOutcome> {
    const { signal, leaseSignal } = lease;
    const handler = this.handlers[job.kind];
    if (!handler) throw new Error(`no handler of ${job.kind}`);
    try {
      return await handler({
        job,
        signal,
        leaseSignal,
        report: (progress, ...lines) => {
          const step = progress && { ...progress, step: hideSecret(progress.step, secret) };
          reporter.report(
            step,
            lines.map((line) => hideSecret(line, secret)),
          );
        },
        reportAt: (offset, send) => reporter.reportAt(offset, send),
        saveCheckpoint: (checkpoint) => reporter.saveCheckpoint(checkpoint, leaseSignal),
      });
    } catch (error) {
      // A job that was given back takes no more lines.
      await reporter.end();
      return this.outcomeOfError({ job, lease, hasCheckpoint: reporter.hasCheckpoint }, error);
    }
  }

  private async outcomeOfError({ job, lease, hasCheckpoint }: Attempt, error: unknown): Promise<AttemptOutcome> {
    const next = nextStep(error, { job, hasCheckpoint, ...lease });
    if (next.kind === 'unknown') return { state: next.kind, error: next.error };
    if (next.kind === 'lease-ended') return this.releaseIfHandedOver(job, lease.leaseSignal.reason as StopReason);
    if (next.kind === 'cancelled') return next.kind;
    if (next.kind === 'failed') return this.failureOf(job, error, job.was_started || hasCheckpoint);
    if (next.kind === 'resume') return this.release(job, { ...waitOf(next.error), isResting: true });
    return this.release(job, { ...waitOf(next.error), isUntouched: next.kind === 'restart' });
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

  private async releaseIfHandedOver(job: ClaimedJob, reason: StopReason): Promise<undefined> {
    if (reason === 'handover') await this.release(job, handover);
  }

  private async release(
    { id, fence }: ClaimedJob,
    { ms, reason, isUntouched, isResting }: Release,
  ): Promise<undefined> {
    const input = { id, fence, wait_ms: ms, reason, is_untouched: isUntouched, is_resting: isResting };
    await this.kit.bus.call(releaseJob, input).catch((error: unknown) => {
      // The lease expires by itself.
      this.kit.log.warn({ err: error, job: id }, 'a job could not be released');
    });
  }

  /** Repeats the result until the ledger has stored it, or has given the job to another worker. */
  private async finish(job: ClaimedJob, { leaseSignal }: JobLease, outcome: Outcome | 'cancelled'): Promise<void> {
    const { id, fence } = job;
    let ending: Ending = outcome === 'cancelled' ? cancelled : { result: null, error: null, ...outcome };
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

function withSecretHidden(outcome: AttemptOutcome, secret: Secret): AttemptOutcome {
  return typeof outcome === 'object' ? hideSecretIn(outcome, secret) : outcome;
}

type Attempt = { job: ClaimedJob; lease: JobLease; hasCheckpoint: boolean };
type Release = { ms: number; reason: string; isUntouched?: boolean; isResting?: boolean };
const waitOf = ({ waitMs, message }: RetryLater | ResumeAt) => ({ ms: waitMs, reason: message });
const handover: Release = {
  ms: 0,
  reason: 'Le processus s’arrête\u00a0: un autre prend la suite.',
};

type Ending = Omit<Input<typeof finishJob>, 'id' | 'fence'>;

const cancelled: Ending = { state: 'cancelled', result: null, error: null };
const unrecordable: Ending = {
  state: 'unknown',
  result: null,
  error: { message: 'La tâche s’est terminée, mais son résultat n’a pas pu être enregistré.' },
};
