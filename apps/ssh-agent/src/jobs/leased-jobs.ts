import { renewJobs } from '@vigie/contracts/jobs';
import type { Bus } from '@vigie/service-kit/bus';
import { leasesLost } from '@vigie/service-kit/measures';
import type { StopReason } from './job-handler';

const renewEveryMs = 10_000;
/** In one call. */
const maxRenewed = 500;
const checkEveryMs = 500;
/** Shorter than a lease: a worker that cannot renew stops before another one may claim its jobs. */
const maxSilenceMs = 25_000;

/** The first reason to stop aborts `signal`; the first that is no cancellation aborts `leaseSignal`. */
export type JobLease = { signal: AbortSignal; leaseSignal: AbortSignal };

type LeasedJob = JobLease & { id: string; fence: number; stop: (reason: StopReason) => void };

/** The jobs that this process has leased from the ledger, and the renewal of their leases. */
export class LeasedJobs {
  private readonly jobs = new Map<string, LeasedJob>();
  private readonly renewTimer = setInterval(() => void this.renew(), renewEveryMs);
  private readonly silenceTimer = setInterval(() => this.stopAfterSilence(), checkEveryMs);
  private renewedAt = performance.now();
  private isHandingOver = false;

  constructor(
    private readonly bus: Pick<Bus, 'call'>,
    private readonly agent: string,
  ) {}

  /** `requestedAt`: the lease is no older than that. */
  add(id: string, fence: number, requestedAt: number): JobLease {
    const jobEnd = new AbortController();
    const leaseEnd = new AbortController();
    const stop = (reason: StopReason) => {
      if (reason === 'lost' && !leaseEnd.signal.aborted) leasesLost.inc({ side: 'worker' });
      jobEnd.abort(reason);
      if (reason !== 'cancelled') leaseEnd.abort(reason);
    };
    const job: LeasedJob = { id, fence, stop, signal: jobEnd.signal, leaseSignal: leaseEnd.signal };
    if (this.jobs.size === 0) this.renewedAt = requestedAt;
    this.jobs.set(id, job);
    if (this.isHandingOver) stop('handover');
    return job;
  }

  release(id: string, lease: JobLease): void {
    if (this.jobs.get(id) === lease) this.jobs.delete(id);
  }

  get size(): number {
    return this.jobs.size;
  }

  cancel(ids: readonly string[]): void {
    this.stop([...this.jobs.values()], ids, 'cancelled');
  }

  /** Stops every job, and those that are being claimed meanwhile. */
  handOver(): void {
    this.isHandingOver = true;
    this.stopAll('handover');
  }

  private stopAll(reason: StopReason): void {
    for (const job of this.jobs.values()) job.stop(reason);
  }

  close(): void {
    clearInterval(this.renewTimer);
    clearInterval(this.silenceTimer);
  }

  private async renew(): Promise<void> {
    if (this.jobs.size === 0) return;
    const jobs = [...this.jobs.values()];
    const requestedAt = performance.now();
    try {
      for (let at = 0; at < jobs.length; at += maxRenewed) await this.renewSome(jobs.slice(at, at + maxRenewed));
      this.renewedAt = requestedAt;
    } catch {
      // A single failure is harmless: `stopAfterSilence` acts once they have lasted too long.
    }
  }

  private async renewSome(jobs: readonly LeasedJob[]): Promise<void> {
    const held = jobs.map(({ id, fence }) => ({ id, fence }));
    const { lost, cancelling } = await this.bus.call(renewJobs, { agent: this.agent, held });
    this.stop(jobs, lost, 'lost');
    this.stop(jobs, cancelling, 'cancelled');
  }

  /** The leases are about to expire: a job that went on would run beside the next worker's. */
  private stopAfterSilence(): void {
    if (this.jobs.size > 0 && performance.now() - this.renewedAt > maxSilenceMs) this.stopAll('lost');
  }

  private stop(jobs: readonly LeasedJob[], ids: readonly string[], reason: StopReason): void {
    for (const job of jobs) if (ids.includes(job.id)) job.stop(reason);
  }
}
