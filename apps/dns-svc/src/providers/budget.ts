import { Injectable } from '@nestjs/common';
import { Counters } from '@vigie/service-kit/counters';
import { ProviderFailure } from './failures';

/** Cloudflare allows 1,200 calls in five minutes; the rest is left to other users of the login. */
const max = 1_000;
/** Background work leaves half of the budget to people. */
const maxBackground = 500;
/** Six buckets of a minute cover any five minutes. */
const bucketSeconds = 60;
const buckets = 6;

const tooMany = 'Trop de demandes à Cloudflare en peu de temps. Rien n’est perdu\u00a0: réessayez un peu plus tard.';
const busy = (retryAfter: number) => new ProviderFailure('busy', tooMany, { retryAfter });

/** Limits the calls to Cloudflare per login, over all replicas. */
@Injectable()
export class Budget {
  constructor(private readonly counters: Counters) {}

  async spend(login: string, isBackground: boolean): Promise<void> {
    const paused = await this.counters.read(`cloudflare-pause:${login}`);
    if (paused.count > 0) throw busy(paused.secondsLeft);
    const now = Math.floor(Date.now() / 1000 / bucketSeconds);
    const recordKey = (bucket: number) => `cloudflare:${login}:${bucket}`;
    const older = Array.from({ length: buckets - 1 }, (_, at) => this.counters.read(recordKey(now - 1 - at)));
    const [current, ...others] = await Promise.all([
      this.counters.add(recordKey(now), bucketSeconds * buckets),
      ...older,
    ]);
    const spent = others.reduce((sum, { count }) => sum + count, current?.count ?? 0);
    if (spent <= (isBackground ? maxBackground : max)) return;
    await this.counters.takeBack(recordKey(now));
    throw busy(bucketSeconds);
  }

  async pause(login: string, seconds: number): Promise<void> {
    await this.counters.add(`cloudflare-pause:${login}`, Math.max(1, Math.ceil(seconds)));
  }
}
