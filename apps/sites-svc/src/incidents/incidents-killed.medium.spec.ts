import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sendAlert } from '@vigie/contracts/alerts';
import { reportVisits } from '@vigie/contracts/site-checks';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';
import { afterAll, beforeAll, expect, it } from 'vitest';

let product: TestProduct;
let agent: TestBus;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc']);
  await product.add('sites-svc');
  agent = await connectBus(product.keys['ssh-agent']);
});
afterAll(async () => {
  await agent?.close();
  await product?.stop();
});

const query = <T extends object>(sql: string, ...values: unknown[]) => product.database.query<T>(sql, values);
const sites = Array.from({ length: 60 }, () => randomUUID());
const batches = [0, 1, 2].map((at) => sites.slice(at * 20, at * 20 + 20));
const url = 'https://x.invalid/';

/** A report may be lost with the process that it went to: the next minute makes up for it. */
async function report(code: number): Promise<void> {
  const seen = { code, error: null, method: 'GET', url, ms: 5, checked_at: new Date().toISOString() };
  const items = (ids: string[]) => ids.map((id) => ({ id, url, seen, certificate: null }));
  const call = (ids: string[]) => agent.call(reportVisits, { items: items(ids), network: null });
  await Promise.allSettled(batches.map(call));
  await query("update sites.conditions set checked_at = checked_at - interval '1 minute'");
}

/** Reports the same results for so many minutes, while one process after the other dies at some moment of them. */
async function reportWhileKilling(code: number, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    const reporting = report(code);
    await wait(minute * 11);
    await product
      .processesOf('sites-svc')
      .find((process) => process.isAlive())
      ?.kill('SIGKILL');
    await product.add('sites-svc');
    await reporting;
  }
  for (let minute = 0; minute < 11; minute += 1) await report(code);
}

const countEvents = async () =>
  (
    await query<{ kind: string; n: number }>(
      "select kind, count(*)::int as n from sites.incident_events where kind <> 'opinion' group by kind order by kind",
    )
  ).rows;

/** Where messages go, by the ids under which a receiver knows them. */
const messageIds = new Set<string>();

async function addChannel(owner: string | undefined): Promise<void> {
  await agent.answer(sendAlert, async ({ message_id: id }) => {
    messageIds.add(id);
    return { outcome: 'sent' as const, status: 200, answer: null, error: null, retry_after: null };
  });
  await query(
    `insert into sites.channels (id, owner_id, kind, name, target, time_zone, min_severity)
     values (gen_random_uuid(), $1, 'webhook', 'Astreinte', '{"protected":"","iv":"","ciphertext":"","tag":""}', 'Europe/Paris', 'warning')`,
    owner,
  );
}

/** Once the leases of killed processes are over. */
async function countMessages() {
  await query('update sites.incidents set alerts_due_at = now() where alerts_due_at is not null');
  await query('update sites.channels set held_until = now()');
  await query("update sites.deliveries set next_at = now() where state = 'queued'");
  await until(async () => {
    const { rows } = await query(
      `select from sites.incidents where alerts_due_at <= now() union all select from sites.deliveries where state = 'queued'`,
    );
    return rows.length === 0;
  });
  const { rows } = await query<{ kind: string; n: number }>(
    `select kind, count(*)::int as n from sites.deliveries where state = 'sent' and channel_id in (
       select id from sites.channels where kind = 'webhook') group by kind order by kind`,
  );
  return rows;
}

it('loses, doubles and forgets no incident or message when processes are killed while these open and end', async () => {
  const user = (await query<{ id: string }>('select id from auth.users')).rows[0]?.id;
  await query(
    `insert into sites.sites (id, owner_id, name, url) select id, $1, id::text, $2 from unnest($3::uuid[]) id`,
    user,
    url,
    sites,
  );
  await addChannel(user);
  await reportWhileKilling(500, 4);
  expect(await countEvents()).toEqual([
    { kind: 'observed', n: 60 },
    { kind: 'opened', n: 60 },
  ]);
  const open = await query('select distinct cause_id from sites.incidents where resolved_at is null');
  expect(open.rows).toHaveLength(60);
  expect(await countMessages()).toEqual([{ kind: 'opened', n: 60 }]);
  await reportWhileKilling(200, 4);
  expect(await countEvents()).toEqual([
    { kind: 'observed', n: 60 },
    { kind: 'opened', n: 60 },
    { kind: 'recovered', n: 60 },
    { kind: 'resolved', n: 60 },
  ]);
  expect(await countMessages()).toEqual([
    { kind: 'opened', n: 60 },
    { kind: 'resolved', n: 60 },
  ]);
  expect(messageIds.size).toBe(120);
  expect((await query('select from sites.incidents where resolved_at is null')).rows).toEqual([]);
  expect((await query('select from sites.incident_subjects where until is null')).rows).toEqual([]);
  expect((await query('select from sites.conditions')).rows).toEqual([]);
});
