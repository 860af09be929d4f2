import { Injectable } from '@nestjs/common';
import { Counters } from '@vigie/service-kit/counters';
import { ProviderFailure } from './failures';

/** Of Cloudflare's 1,200 in five minutes: the rest is for whoever else uses the login. */
const max = 1_000;
/** What looks by itself leaves half of it to people. */
const maxUnasked = 500;
/** Any five minutes lie within six of these. */
const bucketSeconds = 60;
const buckets = 6;

const tooMany = 'Trop de demandes à Cloudflare en peu de temps. Rien n’est perdu\u00a0: réessayez un peu plus tard.';
const busy = (retryAfter: number) => new ProviderFailure('busy', tooMany, { retryAfter });

/** How often Cloudflare is asked with one login, by all replicas together. */
@Injectable()
export class Budget {
  constructor(private readonly counters: Counters) {}

  /** Throws where nothing may be asked now. */
  async spend(login: string, isUnasked: boolean): Promise<void> {
    const paused = await this.counters.read(`cloudflare-pause:${login}`);
    if (paused.count > 0) throw busy(paused.secondsLeft);
    const now = Math.floor(Date.now() / 1000 / bucketSeconds);
    const keyOf = (bucket: number) => `cloudflare:${login}:${bucket}`;
    const older = Array.from({ length: buckets - 1 }, (_, at) => this.counters.read(keyOf(now - 1 - at)));
    const [current, ...others] = await Promise.all([this.counters.add(keyOf(now), bucketSeconds * buckets), ...older]);
    const spent = others.reduce((sum, { count }) => sum + count, current?.count ?? 0);
    if (spent <= (isUnasked ? maxUnasked : max)) return;
    await this.counters.takeBack(keyOf(now));
    throw busy(bucketSeconds);
  }

  /** Cloudflare said that it has had enough. */
  async pause(login: string, seconds: number): Promise<void> {
    await this.counters.add(`cloudflare-pause:${login}`, Math.max(1, Math.ceil(seconds)));
  }
}
