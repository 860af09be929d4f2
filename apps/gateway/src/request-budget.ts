import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Counters } from '@vigie/service-kit/counters';
import { env } from './env';
import { tooManyRequests } from './overload';

const windowSeconds = 60;
const shareEveryMs = 1_000;
const mostKeys = 50_000;

type Spent = { here: number; elsewhere: number; unshared: number; endsAt: number };

/**
 * How many requests one address or session may make in a minute, over all gateways. Counted here and shared with the
 * other replicas once a second: a limit against floods must not cost each request a round trip.
 */
@Injectable()
export class RequestBudget implements OnApplicationShutdown {
  private readonly spent = new Map<string, Spent>();
  private readonly timer = setInterval(() => void this.share(), shareEveryMs);

  constructor(private readonly counters: Counters) {}

  spend(key: string): void {
    const now = Date.now();
    let spent = this.spent.get(key);
    if (!spent || spent.endsAt <= now) {
      if (this.spent.size >= mostKeys) this.spent.clear();
      spent = { here: 0, elsewhere: 0, unshared: 0, endsAt: now + windowSeconds * 1000 };
      this.spent.set(key, spent);
    }
    spent.here += 1;
    spent.unshared += 1;
    if (spent.here + spent.elsewhere <= env.VIGIE_REQUESTS_PER_MINUTE) return;
    const retryAfter = Math.max(1, Math.ceil((spent.endsAt - now) / 1000));
    throw tooManyRequests(retryAfter);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async share(): Promise<void> {
    const now = Date.now();
    const window = Math.floor(now / (windowSeconds * 1000));
    for (const [key, spent] of this.spent) {
      if (spent.endsAt <= now) this.spent.delete(key);
      else if (spent.unshared > 0) await this.shareOne(`requests:${window}:${key}`, spent);
    }
  }

  private async shareOne(key: string, spent: Spent): Promise<void> {
    const by = spent.unshared;
    spent.unshared = 0;
    const { count } = await this.counters.add(key, windowSeconds, by);
    spent.elsewhere = Math.max(0, count - spent.here);
  }
}
