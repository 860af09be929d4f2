import type { OnApplicationShutdown } from '@nestjs/common';
import type { Counters } from '@vigie/service-kit/counters';
import type { Log } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { tooManyRequests } from './admission';

const windowSeconds = 60;
const shareEveryMs = 1_000;
const maxKeys = 50_000;
/** One after another would take longer than a second, and all at once would fill the send buffer to Redis. */
const maxSharedAtOnce = 500;

type WindowCount = { here: number; elsewhere: number; unshared: number; endsAt: number };

/**
 * Limits the requests of one address or session per minute, over all gateways. Counts are kept here and shared with the
 * other replicas once a second, since a limit against floods must not cost each request a round trip.
 */
export class RequestBudget implements OnApplicationShutdown {
  private readonly counts = new Map<string, WindowCount>();
  private readonly sharing: RepeatingTask;

  constructor(
    private readonly counters: Counters,
    private readonly maxRequests: number,
    log: Log,
  ) {
    this.sharing = new RepeatingTask(log, 'the counts of requests could not be shared', () => this.share());
    this.sharing.start(shareEveryMs);
  }

  spend(key: string): void {
    const now = Date.now();
    let windowCount = this.counts.get(key);
    if (!windowCount || windowCount.endsAt <= now) {
      this.counts.delete(key);
      if (this.counts.size >= maxKeys) this.forgetOldest();
      windowCount = { here: 0, elsewhere: 0, unshared: 0, endsAt: now + windowSeconds * 1000 };
      this.counts.set(key, windowCount);
    }
    windowCount.here += 1;
    windowCount.unshared += 1;
    if (windowCount.here + windowCount.elsewhere <= this.maxRequests) return;
    const retryAfter = Math.max(1, Math.ceil((windowCount.endsAt - now) / 1000));
    throw tooManyRequests(retryAfter);
  }

  onApplicationShutdown(): void {
    this.sharing.stop();
  }

  /** Drops only the oldest: otherwise an attacker with many addresses could reset the counts of all. */
  private forgetOldest(): void {
    for (const [key] of this.counts) {
      this.counts.delete(key);
      if (this.counts.size < maxKeys * 0.9) return;
    }
  }

  private async share(): Promise<void> {
    const now = Date.now();
    const window = Math.floor(now / (windowSeconds * 1000));
    for (const [key, { endsAt }] of this.counts) if (endsAt <= now) this.counts.delete(key);
    const due = [...this.counts].filter(([, { unshared }]) => unshared > 0);
    for (let at = 0; at < due.length; at += maxSharedAtOnce) {
      const part = due.slice(at, at + maxSharedAtOnce);
      await Promise.all(part.map(([key, windowCount]) => this.shareOne(`requests:${window}:${key}`, windowCount)));
    }
  }

  private async shareOne(key: string, windowCount: WindowCount): Promise<void> {
    const added = windowCount.unshared;
    windowCount.unshared = 0;
    const { count } = await this.counters.add(key, windowSeconds, added);
    windowCount.elsewhere = Math.max(0, count - windowCount.here);
  }
}
