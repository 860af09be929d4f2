import type { OnApplicationShutdown } from '@nestjs/common';
import type { Counters } from '@vigie/service-kit/counters';
import type { Log } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { tooManyRequests } from './overload';

const windowSeconds = 60;
const shareEveryMs = 1_000;
const maxKeys = 50_000;
/** One after the other they would take longer than a second; all at once would fill what leaves for Redis. */
const sharedAtOnce = 500;

type Spent = { here: number; elsewhere: number; unshared: number; endsAt: number };

/**
 * How many requests one address or session may make in a minute, over all gateways. Counted here and shared with the
 * other replicas once a second: a limit against floods must not cost each request a round trip.
 */
export class RequestBudget implements OnApplicationShutdown {
  private readonly spent = new Map<string, Spent>();
  private readonly rounds: RepeatingTask;

  constructor(
    private readonly counters: Counters,
    private readonly maxRequests: number,
    log: Log,
  ) {
    this.rounds = new RepeatingTask(log, 'the counts of requests could not be shared', () => this.share());
    this.rounds.start(shareEveryMs);
  }

  spend(key: string): void {
    const now = Date.now();
    let spent = this.spent.get(key);
    if (!spent || spent.endsAt <= now) {
      this.spent.delete(key);
      if (this.spent.size >= maxKeys) this.forgetOldest();
      spent = { here: 0, elsewhere: 0, unshared: 0, endsAt: now + windowSeconds * 1000 };
      this.spent.set(key, spent);
    }
    spent.here += 1;
    spent.unshared += 1;
    if (spent.here + spent.elsewhere <= this.maxRequests) return;
    const retryAfter = Math.max(1, Math.ceil((spent.endsAt - now) / 1000));
    throw tooManyRequests(retryAfter);
  }

  onApplicationShutdown(): void {
    this.rounds.stop();
  }

  /** Not all of them: whoever comes from many addresses would be counted anew from one each time. */
  private forgetOldest(): void {
    for (const [key] of this.spent) {
      this.spent.delete(key);
      if (this.spent.size < maxKeys * 0.9) return;
    }
  }

  private async share(): Promise<void> {
    const now = Date.now();
    const window = Math.floor(now / (windowSeconds * 1000));
    for (const [key, { endsAt }] of this.spent) if (endsAt <= now) this.spent.delete(key);
    const due = [...this.spent].filter(([, { unshared }]) => unshared > 0);
    for (let at = 0; at < due.length; at += sharedAtOnce) {
      const part = due.slice(at, at + sharedAtOnce);
      await Promise.all(part.map(([key, spent]) => this.shareOne(`requests:${window}:${key}`, spent)));
    }
  }

  private async shareOne(key: string, spent: Spent): Promise<void> {
    const by = spent.unshared;
    spent.unshared = 0;
    const { count } = await this.counters.add(key, windowSeconds, by);
    spent.elsewhere = Math.max(0, count - spent.here);
  }
}
