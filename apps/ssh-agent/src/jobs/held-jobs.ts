import { renewJobs } from '@vigie/contracts/jobs';
import type { Bus } from '@vigie/service-kit/bus';
import { leasesLost } from '@vigie/service-kit/measures';
import type { LetGo } from './job-handler';

const renewEveryMs = 10_000;
const watchEveryMs = 500;
/** Less than the lease, from when it was asked for: whoever cannot renew stops before somebody else begins. */
const silenceMs = 25_000;

/** `signal` is aborted by the first reason to let go, `gone` by the first that is no cancellation. */
export type Hold = { signal: AbortSignal; gone: AbortSignal };

type Held = Hold & { id: string; fence: number; end: (reason: LetGo) => void };

/** The jobs that this process holds, and the leases that say so. */
export class HeldJobs {
  private readonly held = new Map<string, Held>();
  private readonly timer = setInterval(() => void this.renew(), renewEveryMs);
  private readonly watch = setInterval(() => this.letGoOfSilence(), watchEveryMs);
  private renewedAt = performance.now();
  private isOver = false;

  constructor(
    private readonly bus: Pick<Bus, 'call'>,
    private readonly agent: string,
  ) {}

  /** `askedAt`: its lease is no older than that. */
  hold(id: string, fence: number, askedAt: number): Hold {
    const over = new AbortController();
    const gone = new AbortController();
    const end = (reason: LetGo) => {
      if (reason === 'lost' && !gone.signal.aborted) leasesLost.inc({ side: 'worker' });
      over.abort(reason);
      if (reason !== 'cancelled') gone.abort(reason);
    };
    const held: Held = { id, fence, end, signal: over.signal, gone: gone.signal };
    if (this.held.size === 0) this.renewedAt = askedAt;
    this.held.set(id, held);
    if (this.isOver) end('handover');
    return held;
  }

  release(id: string, hold: Hold): void {
    if (this.held.get(id) === hold) this.held.delete(id);
  }

  get size(): number {
    return this.held.size;
  }

  cancel(ids: readonly string[]): void {
    this.end([...this.held.values()], ids, 'cancelled');
  }

  /** What was being claimed meanwhile too. */
  handOver(): void {
    this.isOver = true;
    this.letGoOfAll('handover');
  }

  private letGoOfAll(reason: LetGo): void {
    for (const { end } of this.held.values()) end(reason);
  }

  close(): void {
    clearInterval(this.timer);
    clearInterval(this.watch);
  }

  private async renew(): Promise<void> {
    if (this.held.size === 0) return;
    const asked = [...this.held.values()];
    const askedAt = performance.now();
    try {
      const held = asked.map(({ id, fence }) => ({ id, fence }));
      const { lost, cancelling } = await this.bus.call(renewJobs, { agent: this.agent, held });
      this.renewedAt = askedAt;
      this.end(asked, lost, 'lost');
      this.end(asked, cancelling, 'cancelled');
    } catch {
      // Until the silence has lasted too long.
    }
  }

  /** Their leases run out: what goes on would go on beside the next worker. */
  private letGoOfSilence(): void {
    if (this.held.size > 0 && performance.now() - this.renewedAt > silenceMs) this.letGoOfAll('lost');
  }

  private end(asked: readonly Held[], ids: readonly string[], reason: LetGo): void {
    for (const { id, end } of asked) if (ids.includes(id)) end(reason);
  }
}
