import { verify } from '@node-rs/argon2';
import { percentiles } from '../statistics';
import type { Sent } from '../url-loads';

type Work = { hash: string; password: string; seconds: number; atOnce: number };

/** Measures the hash alone, the minimum cost of a login. */
const { hash, password, seconds, atOnce }: Work = JSON.parse(process.env['VIGIE_BENCH_HASHES'] ?? '{}');
const times: number[] = [];
const failures: Record<string, number> = {};
const start = performance.now();

async function verifyRepeatedly(): Promise<void> {
  while (performance.now() - start < seconds * 1000) {
    const startedAt = performance.now();
    if (!(await verify(hash, password))) failures['wrong'] = (failures['wrong'] ?? 0) + 1;
    times.push(performance.now() - startedAt);
  }
}

await Promise.all(Array.from({ length: atOnce }, verifyRepeatedly));
const sent: Sent = {
  perSecond: (times.length * 1000) / (performance.now() - start),
  ...percentiles(times),
  failures,
};
process.send?.(sent, () => process.exit(0));
