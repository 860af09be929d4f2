import type { TestProduct } from '@vigie/testing/product';
import { setTimeout as wait } from 'node:timers/promises';

/** What services write by themselves, or about a refusal: audits, feeds, samples, logs, and what a look found. */
const restless =
  /audit_|outbox|activity|health_|sweeps|job_log|zone_turns|plugin_|snapshots|zones|sessions|idempotency|owners/;
const settleMs = 250;
const mostLooks = 40;

type Counts = ReadonlyMap<string, number>;

async function countRows({ database }: TestProduct): Promise<Counts> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('auth', 'sites', 'dns')`,
  );
  const counted = tables.filter(({ name }) => !restless.test(name));
  const { rows } = await database.query<{ name: string; count: number }>(
    counted.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`).join(' union all '),
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Once nothing of what was asked before goes on. */
export async function settledCounts(product: TestProduct): Promise<Counts> {
  let last = await countRows(product);
  for (let looks = 0; looks < mostLooks; looks += 1) {
    await wait(settleMs);
    const next = await countRows(product);
    if (changedTables(last, next).length === 0) return next;
    last = next;
  }
  return last;
}

export const changedTables = (before: Counts, after: Counts): string[] =>
  [...after].flatMap(([name, count]) => (before.get(name) === count ? [] : [`${name} ${before.get(name)} → ${count}`]));
