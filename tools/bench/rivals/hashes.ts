import { verify } from '@node-rs/argon2';
import type { Measured } from '../url-loads';
import { quantile } from '../statistics';

type Work = { hash: string; password: string; seconds: number; atOnce: number };

/** What a login costs at least: its hash alone, without a request, a row or a session. */
const { hash, password, seconds, atOnce }: Work = JSON.parse(process.env['VIGIE_BENCH_HASHES'] ?? '{}');
const times: number[] = [];
const failures: Record<string, number> = {};
const start = performance.now();

async function verifyAgainAndAgain(): Promise<void> {
  while (performance.now() - start < seconds * 1000) {
    const since = performance.now();
    if (!(await verify(hash, password))) failures['wrong'] = (failures['wrong'] ?? 0) + 1;
    times.push(performance.now() - since);
  }
}

await Promise.all(Array.from({ length: atOnce }, verifyAgainAndAgain));
const measured: Measured = {
  perSecond: (times.length * 1000) / (performance.now() - start),
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
  failures,
};
process.send?.(measured, () => process.exit(0));
