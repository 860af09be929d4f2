import type { TestProduct } from '@vigie/testing/product';
import { setTimeout as wait } from 'node:timers/promises';

/** Tables that services write on their own or about a refusal: audits, feeds, samples, logs and results of checks. */
const volatileTables =
  /audit_|outbox|activity|health_|sweeps|job_log|zone_turns|plugin_|snapshots|zones|sessions|idempotency|owners|visit_|uptime_|conditions|incident|deliveries|network_state|channel_heartbeats|gateway_reports|site_certificates|domains|site_addresses/;
/** Columns that earlier jobs and checks update. */
const volatileColumns: Readonly<Record<string, string>> = {
  'auth.mails': 'body state attempts error next_at sent_at',
  'auth.users': 'last_login_at totp_last_step',
  'dns.configs': 'problem zones_read_at',
  'sites.consoles': 'agent renewed_at is_attached ended_at end_reason bytes_in bytes_out',
  'sites.jobs': `state progress result error attempts claimed_attempt claims tries fence agent access dispatched_at
    lease_until not_before heard memo about log_seq log_bytes log_cut is_resting lead_id is_alone passed_by_at passings
    started_at finished_at`,
  'sites.servers': 'status vitals alerts refusal kills_children',
  'sites.sites': `status refusal ssh_error http problem facts mark php_binary php_version wp_version new_wp_version
    plugins_count themes_count updates_core updates_plugins updates_themes updates_count read_at inspected_at inspected_mark
    last_backup_at`,
};
const settleMs = 250;
const maxReads = 40;

/** The number of rows of a table, and a checksum of their content. */
type TableSummary = { count: number; sum: string };
type Tables = ReadonlyMap<string, TableSummary>;

async function readTables({ database }: Pick<TestProduct, 'database'>): Promise<Tables> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('auth', 'sites', 'dns')`,
  );
  const stableTables = tables.filter(({ name }) => !volatileTables.test(name));
  const reads = stableTables.map(
    ({ name }) => `select '${name}' as name, count(*)::int as count, coalesce(sum(hashtext(
      (to_jsonb(t) - regexp_split_to_array('${volatileColumns[name] ?? ''}', '\\s+'))::text)), 0)::text as sum from ${name} t`,
  );
  const { rows } = await database.query<TableSummary & { name: string }>(reads.join(' union all '));
  return new Map(rows.map(({ name, count, sum }) => [name, { count, sum }]));
}

/** Reads the tables once they no longer change. */
export async function readSettledTables(product: TestProduct): Promise<Tables> {
  let last = await readTables(product);
  for (let reads = 0; reads < maxReads; reads += 1) {
    await wait(settleMs);
    const next = await readTables(product);
    if (changedTables(last, next).length === 0) return next;
    last = next;
  }
  return last;
}

export const changedTables = (before: Tables, after: Tables): string[] =>
  [...after].flatMap(([name, { count, sum }]) => {
    const earlier = before.get(name);
    if (earlier?.count !== count) return [`${name} ${earlier?.count} → ${count}`];
    return earlier.sum === sum ? [] : [`${name}, sur place`];
  });
