import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { claimJob, type ClaimedJob, finishJob, jobsCancelled, releaseJob } from '@vigie/contracts/jobs';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { runInContext } from '@vigie/service-kit/context';
import { operationsUnknown } from '@vigie/service-kit/measures';
import { readAtScrape } from '@vigie/service-kit/metrics';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { inSpan } from '@vigie/service-kit/traces';
import { SshFailure } from '@vigie/ssh/failure';
import type { Worker } from 'bullmq';
import { openAccess } from '../credentials/credential';
import { endWithoutSecret, hideSecret } from '../credentials/echoes';
import { errorOf } from '../error-of';
import { HeldJobs, type Hold } from './held-jobs';
import { type JobHandlers, type Later, type LetGo, nextStep, type Outcome, type Resting } from './job-handler';
import { openQueueWorker } from './queue-worker';
import { Teller } from './teller';

const handoverMs = 4_000;
const tellAgainMs = 1_000;
/** Less than the time an attempt waits to be claimed. */
const claimMs = 20_000;

type WakeUp = { id: string; attempt: number };
type Ended = Outcome | 'cancelled' | undefined;
type Secret = { auth: { password: string } };
type Telling = { teller: Teller; secret: Secret };

/** Takes jobs from the queues, does them by their kind, and tells the ledger what came of it. */
export class JobWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly agent = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  private readonly held: HeldJobs;
  private readonly keyRing: KeyRing;
  private readonly workers: Worker[] = [];

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'log' | 'keys'>,
    private readonly queues: { redisUrl: string; operations: number },
    private readonly handlers: JobHandlers,
  ) {
    this.held = new HeldJobs(kit.bus, this.agent);
    this.keyRing = new KeyRing(kit.keys);
    readAtScrape('leases', () => [{ name: 'vigie_leases_held', value: this.held.size }]);
  }

  onApplicationBootstrap(): void {
    this.kit.bus.subscribe(jobsCancelled, ({ ids }) => this.held.cancel(ids));
    const { redisUrl, operations } = this.queues;
    for (const [name, max] of Object.entries({ 'site-looks': 64, 'site-ops': operations, 'site-transfers': 4 })) {
      const take = (data: WakeUp) => this.take(data);
      this.workers.push(openQueueWorker(this.kit, redisUrl, { name, concurrency: max, take }));
    }
  }

  /** What runs on hosts goes on without us, and another agent follows it. */
  async onApplicationShutdown(): Promise<void> {
    const closed = this.workers.map((worker) => worker.close(true).catch(() => undefined));
    this.held.handOver();
    const until = performance.now() + handoverMs;
    while (this.held.size > 0 && performance.now() < until) await wait(20);
    this.held.close();
    await Promise.race([Promise.all(closed), wait(500)]);
  }

  /** Does what a queue woke it up for, unless somebody else has it. */
  async take({ id, attempt }: WakeUp): Promise<void> {
    const { job, askedAt } = await this.claim(id, attempt);
    if (!job) return;
    const attributes = { 'vigie.job.id': id, 'vigie.job.kind': job.kind, 'vigie.job.attempt': attempt };
    // Whatever is said meanwhile is said of this job; it is a part of what asked for it, however long ago.
    await runInContext({ requestId: id, traceparent: job.traceparent ?? undefined }, () =>
      inSpan({ name: `job ${job.kind}`, kind: 'consumer', attributes }, async (note) => {
        const outcome = await this.do(job, askedAt);
        const state = outcome === 'cancelled' ? outcome : outcome?.state;
        if (state === 'unknown') operationsUnknown.inc({ kind: job.kind });
        note({ 'vigie.job.state': state ?? 'released' });
      }),
    );
  }

  private async do(job: ClaimedJob, askedAt: number): Promise<Ended> {
    const { id } = job;
    const hold = this.held.hold(id, job.fence, askedAt);
    const teller = new Teller(this.kit.bus, job);
    try {
      if (job.is_cancelling) this.held.cancel([id]);
      const secret = await this.secretOf(job);
      const outcome = hidden(await this.run(job, hold, { teller, secret }), secret);
      await teller.end();
      if (outcome) await this.end(job, hold, outcome);
      return outcome;
    } finally {
      this.held.release(id, hold);
    }
  }

  /** A wake-up comes once: while the ledger is away it is worth waiting for, as long as the attempt can be claimed. */
  private async claim(id: string, attempt: number): Promise<{ job: ClaimedJob | null; askedAt: number }> {
    const kinds = Object.keys(this.handlers);
    const until = performance.now() + claimMs;
    for (;;) {
      const askedAt = performance.now();
      try {
        const { job } = await this.kit.bus.call(claimJob, { id, attempt, agent: this.agent, kinds });
        return { job, askedAt };
      } catch (error) {
        const isAway = error instanceof AppError && error.code === 'unavailable';
        if (!isAway || performance.now() > until) throw error;
        await wait(tellAgainMs);
      }
    }
  }

  /** What its host was offered, and may say back. One that does not open is offered to nobody. */
  private async secretOf({ access }: ClaimedJob): Promise<Secret> {
    const { password = '' } = access ? await openAccess(this.keyRing, access).catch(() => ({ password: '' })) : {};
    return { auth: { password } };
  }

  /** Undefined where there is nothing to end: it was let go of, or is tried later. */
  private async run(job: ClaimedJob, hold: Hold, { teller, secret }: Telling): Promise<Ended> {
    const { signal, gone } = hold;
    const handler = this.handlers[job.kind];
    if (!handler) throw new Error(`no handler of ${job.kind}`);
    try {
      return await handler({
        job,
        signal,
        gone,
        tell: (progress, ...lines) => {
          const step = progress && { ...progress, step: hideSecret(progress.step, secret) };
          teller.tell(
            step,
            lines.map((line) => hideSecret(line, secret)),
          );
        },
        hear: (place, telling) => teller.hear(place, telling),
        remember: (memo) => teller.remember(memo, gone),
      });
    } catch (error) {
      return this.endOf({ job, hold, hasKept: teller.hasKept }, error);
    }
  }

  private async endOf({ job, hold, hasKept }: Tried, error: unknown): Promise<Ended> {
    const next = nextStep(error, { job, hasKept, ...hold });
    if (next.is === 'unknown') return { state: next.is, error: next.error };
    if (next.is === 'gone') return this.letGo(job, hold.gone.reason as LetGo);
    if (next.is === 'cancelled') return next.is;
    if (next.is === 'thrown') return this.failureOf(job, error, job.was_started || hasKept);
    if (next.is === 'rest') return this.release(job, { ...untilLater(next.until), isResting: true });
    return this.release(job, { ...untilLater(next.until), isUntouched: next.is === 'anew' });
  }

  /** `mayHaveBegun`: what refuses in the middle says nothing of what was begun before. */
  private failureOf(job: ClaimedJob, error: unknown, mayHaveBegun: boolean): Outcome {
    const state = mayHaveBegun ? 'unknown' : 'failed';
    if (error instanceof AppError) return { state, error: { message: error.message, code: error.code } };
    if (error instanceof SshFailure) {
      return { state: error.wasStarted === 'unknown' ? 'unknown' : 'failed', error: errorOf(error) };
    }
    this.kit.log.error({ err: error, job: job.id, kind: job.kind }, 'a job failed inside');
    const message = `Une erreur interne a interrompu la tâche\u00a0; elle est dans le journal sous ${job.id}.`;
    return { state, error: { message, code: 'internal' } };
  }

  private async letGo(job: ClaimedJob, reason: LetGo): Promise<undefined> {
    if (reason === 'handover') await this.release(job, handover);
  }

  private async release({ id, fence }: ClaimedJob, { ms, reason, ...how }: Release): Promise<undefined> {
    const input = { id, fence, wait_ms: ms, reason, is_untouched: how.isUntouched, is_resting: how.isResting };
    await this.kit.bus.call(releaseJob, input).catch((error: unknown) => {
      // Its lease runs out by itself.
      this.kit.log.warn({ err: error, job: id }, 'a job could not be released');
    });
  }

  /** Until it is known, or somebody else's: a result is told again and again, never forgotten. */
  private async end(job: ClaimedJob, { gone }: Hold, outcome: Outcome | 'cancelled'): Promise<void> {
    const { id, fence } = job;
    let ending: Ending = outcome === 'cancelled' ? cancelled : { result: null, error: null, ...outcome };
    while (gone.reason !== 'lost') {
      try {
        await this.kit.bus.call(finishJob, { id, fence, ...ending });
        return;
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'unavailable';
        if (code !== 'unavailable') this.kit.log.warn({ err: error, job: id }, 'the end of a job was refused');
        if (code === 'conflict' || (code !== 'unavailable' && ending === unkept)) return;
        // Given to another worker it would be done again, to end as it did here.
        if (code !== 'unavailable') ending = unkept;
        else await wait(tellAgainMs);
      }
    }
  }
}

function hidden(ended: Ended, secret: Secret): Ended {
  return typeof ended === 'object' ? endWithoutSecret(ended, secret) : ended;
}

type Tried = { job: ClaimedJob; hold: Hold; hasKept: boolean };
type Release = { ms: number; reason: string; isUntouched?: boolean; isResting?: boolean };
const untilLater = ({ waitMs, message }: Later | Resting) => ({ ms: waitMs, reason: message });
const handover: Release = {
  ms: 0,
  reason: 'Le processus s’arrête\u00a0: un autre prend la suite.',
};

type Ending = Omit<Input<typeof finishJob>, 'id' | 'fence'>;

const cancelled: Ending = { state: 'cancelled', result: null, error: null };
const unkept: Ending = {
  state: 'unknown',
  result: null,
  error: { message: 'La tâche s’est terminée, mais son résultat n’a pas pu être enregistré.' },
};
