import { renewJobs } from '@vigie/contracts/jobs';
import type { Bus } from '@vigie/service-kit/bus';
import type { LetGo } from './job-handler';

const renewEveryMs = 10_000;
/** Less than the lease: whoever cannot renew stops before somebody else begins. */
const silenceMs = 25_000;

type Held = { id: string; fence: number; over: AbortController };

/** The jobs that this process holds, and the leases that say so. */
export class HeldJobs {
  private readonly held = new Map<string, Held>();
  private readonly timer = setInterval(() => void this.renew(), renewEveryMs);
  private renewedAt = performance.now();

  constructor(
    private readonly bus: Bus,
    private readonly agent: string,
  ) {}

  hold(id: string, fence: number): AbortController {
    const over = new AbortController();
    if (this.held.size === 0) this.renewedAt = performance.now();
    this.held.set(id, { id, fence, over });
    return over;
  }

  release(id: string, over: AbortController): void {
    if (this.held.get(id)?.over === over) this.held.delete(id);
  }

  get size(): number {
    return this.held.size;
  }

  letGoOfAll(reason: LetGo): void {
    for (const { over } of this.held.values()) over.abort(reason);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async renew(): Promise<void> {
    if (this.held.size === 0) return;
    const asked = [...this.held.values()];
    try {
      const held = asked.map(({ id, fence }) => ({ id, fence }));
      const { lost, cancelling } = await this.bus.call(renewJobs, { agent: this.agent, held });
      this.renewedAt = performance.now();
      this.end(asked, lost, 'lost');
      this.end(asked, cancelling, 'cancelled');
    } catch {
      // Its leases run out: what goes on would go on beside the next worker.
      if (performance.now() - this.renewedAt > silenceMs) this.letGoOfAll('lost');
    }
  }

  private end(asked: readonly Held[], ids: readonly string[], reason: LetGo): void {
    for (const { id, over } of asked) if (ids.includes(id)) over.abort(reason);
  }
}
