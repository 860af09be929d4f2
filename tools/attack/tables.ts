import type { TestProduct } from '@vigie/testing/product';
import { setTimeout as wait } from 'node:timers/promises';

/** What services write by themselves, or about a refusal: audits, feeds, samples, logs, and what a look found. */
const restless =
  /audit_|outbox|activity|health_|sweeps|job_log|zone_turns|plugin_|snapshots|zones|sessions|idempotency|owners/;
/** What work and looks that were begun before write in rows that are there. */
const restlessColumns: Readonly<Record<string, string>> = {
  'auth.mails': 'body state attempts error next_at sent_at',
  'auth.users': 'last_login_at totp_last_step',
  'dns.configs': 'problem zones_read_at',
  'sites.consoles': 'agent renewed_at is_attached ended_at end_reason bytes_in bytes_out',
  'sites.jobs': `state progress result error attempts claimed_attempt claims tries fence agent access dispatched_at
    lease_until not_before heard memo about log_seq log_bytes log_cut is_resting passed_by_at passings started_at
    finished_at`,
  'sites.servers': 'status vitals alerts refusal kills_children',
  'sites.sites': `status refusal ssh_error http problem facts mark php_binary php_version wp_version new_wp_version
    plugins_count themes_count updates_core updates_plugins updates_themes updates_count read_at inspected_at inspected_mark
    last_backup_at`,
};
const settleMs = 250;
const maxLooks = 40;

/** How many rows a table has, and a number that is another one where what stands in them is. */
type Held = { count: number; sum: string };
type Tables = ReadonlyMap<string, Held>;

async function readTables({ database }: Pick<TestProduct, 'database'>): Promise<Tables> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('auth', 'sites', 'dns')`,
  );
  const kept = tables.filter(({ name }) => !restless.test(name));
  const reads = kept.map(
    ({ name }) => `select '${name}' as name, count(*)::int as count, coalesce(sum(hashtext(
      (to_jsonb(t) - regexp_split_to_array('${restlessColumns[name] ?? ''}', '\\s+'))::text)), 0)::text as sum from ${name} t`,
  );
  const { rows } = await database.query<Held & { name: string }>(reads.join(' union all '));
  return new Map(rows.map(({ name, count, sum }) => [name, { count, sum }]));
}

/** Once nothing of what was asked before goes on. */
export async function settledTables(product: TestProduct): Promise<Tables> {
  let last = await readTables(product);
  for (let looks = 0; looks < maxLooks; looks += 1) {
    await wait(settleMs);
    const next = await readTables(product);
    if (changedTables(last, next).length === 0) return next;
    last = next;
  }
  return last;
}

export const changedTables = (before: Tables, after: Tables): string[] =>
  [...after].flatMap(([name, { count, sum }]) => {
    const was = before.get(name);
    if (was?.count !== count) return [`${name} ${was?.count} → ${count}`];
    return was.sum === sum ? [] : [`${name}, sur place`];
  });
