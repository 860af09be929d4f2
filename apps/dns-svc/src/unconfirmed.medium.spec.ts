import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FakeCloudflare } from '@vigie/testing/cloudflare';
import { DnsStage, type ZoneOwner } from '@vigie/testing/dns';
import { until } from '@vigie/testing/until';

let stage: DnsStage;
let cloudflare: FakeCloudflare;
beforeAll(async () => {
  stage = await DnsStage.shared();
  cloudflare = stage.cloudflare;
});
afterAll(() => stage?.stop());

const www = { type: 'A', name: 'www', content: '203.0.113.1' };
const key = (name: string) => ({ 'idempotency-key': name });
const hosts = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ type: 'A', name: `h${n}`, content: `203.0.113.${n}` }));

/** Sends a request that Cloudflare never answers, kills dns-svc while it waits, and starts it again. */
async function killWhileWaiting(of: RegExp, takesPlace: boolean, send: () => Promise<unknown>): Promise<void> {
  const before = cloudflare.count(of);
  cloudflare.failures.push({ of, status: 200, isSilent: true, takesPlace });
  void send().catch(() => undefined);
  await until(() => cloudflare.count(of) > before);
  await stage.product.processesOf('dns-svc').at(-1)?.kill('SIGKILL');
  // A zone lock outlives its holder by half a minute; the test does not wait for that.
  await stage.product.database.query('update dns.zone_turns set until = now()');
  await stage.product.add('dns-svc');
}

/** Repeats the request until it is answered: on a busy machine dns-svc may start later than the gateway waits. */
async function untilAnswered<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  let answer: T | undefined;
  await until(async () => (answer = await ask()).status !== 503);
  if (!answer) throw new Error('nobody answered');
  return answer;
}

const countPendingWrites = async () =>
  Number((await stage.product.database.query('select count(*)::int as n from dns.intents')).rows[0]?.['n']);

/** Ends the minute in which Cloudflare may still apply an unanswered write. */
const agePendingWrites = () =>
  stage.product.database.query("update dns.intents set at = at - interval '61 seconds', try_at = now()");

const refusedLines = async (name: string) => {
  const { rows } = await stage.product.database.query(
    `select action, details::jsonb ->> 'to' as content, details::jsonb -> 'unverified' as unverified
     from dns.audit_lines where result = 'refused' and target like '%' || $1`,
    [name],
  );
  return rows;
};

async function eventsOf({ token }: ZoneOwner): Promise<string[]> {
  const { body } = await stage.product.request('GET', '/api/dashboard/activity?limit=20', { token });
  return (body['items'] as { type: string }[]).map(({ type }) => type).filter((type) => /dns|zone/.test(type));
}

it('records a creation whose process died, and answers its idempotency key', async () => {
  const person = await stage.addZoneOwner();
  const { askZone, name, zoneId } = person;
  const create = () => askZone('POST', '/dns', www, key('une-fois'));
  await killWhileWaiting(/POST .*dns_records/, true, create);
  const repeated = await untilAnswered(create);
  expect([repeated.status, repeated.body['record']]).toMatchObject([
    201,
    { name: `www.${name}`, content: '203.0.113.1' },
  ]);
  expect(cloudflare.count(new RegExp(`POST /zones/${zoneId}/dns_records`))).toBe(1);
  const { body } = await askZone('GET', '/history');
  expect(body['items']).toMatchObject([
    { reason: 'write', is_drift: false, actor_name: 'Anne Le Goff', counts: { added: 1 } },
    { reason: 'first' },
  ]);
  await until(async () => (await eventsOf(person)).length > 0);
  expect(await eventsOf(person)).toEqual(['dns_record_create']);
  expect(await countPendingWrites()).toBe(0);
});

it('audits a change as refused once it can no longer happen, and applies its repetition once', async () => {
  const person = await stage.addZoneOwner();
  const { askZone, stored, name } = person;
  const create = () => askZone('POST', '/dns', www, key('encore'));
  await killWhileWaiting(/POST .*dns_records/, false, create);
  expect((await untilAnswered(() => askZone('GET', '/dns'))).body).toMatchObject({ total: 0, drift: null });
  expect((await untilAnswered(create)).status).toBe(201);
  expect(stored.records).toHaveLength(1);
  expect([await countPendingWrites(), await refusedLines(name)]).toEqual([1, []]);
  await agePendingWrites();
  await until(async () => (await countPendingWrites()) === 0);
  expect(await refusedLines(name)).toMatchObject([{ action: 'dns_record_create', content: '203.0.113.1' }]);
  // The second creation is not mistaken for the first.
  await until(async () => (await eventsOf(person)).length > 0);
  expect(await eventsOf(person)).toEqual(['dns_record_create']);
});

it('verifies many changes in the background, apart from changes made outside Vigie', async () => {
  const person = await stage.addZoneOwner(hosts(3));
  const { askZone, stored, zoneId } = person;
  const records = (await askZone('GET', '/dns')).body['records'] as { id: string }[];
  const changes = [
    { action: 'delete', record_id: records[0]?.id },
    { action: 'edit', record_id: records[1]?.id, record: { ttl: 300 } },
    { action: 'create', record: { type: 'A', name: 'neuf', content: '203.0.113.9' } },
  ];
  await killWhileWaiting(/POST .*batch/, true, () => askZone('POST', '/dns/bulk', { changes }));
  stored.create({ type: 'A', name: 'ailleurs', content: '203.0.113.8' });
  // The zone is missing from a list that was read meanwhile; its writes are settled all the same.
  await stage.product.database.query('delete from dns.zones where id = $1', [zoneId]);
  await until(async () => (await countPendingWrites()) === 0);
  const list = await askZone('GET', '/dns');
  expect(list.body).toMatchObject({ total: 4, drift: { added: 1, changed: 0, removed: 0 } });
  const { body } = await askZone('GET', '/history');
  expect(body['items']).toMatchObject([
    { reason: 'look', is_drift: true, counts: { added: 1, changed: 0, removed: 0 } },
    { reason: 'bulk', is_drift: false, counts: { added: 1, changed: 1, removed: 1 } },
    { reason: 'first' },
  ]);
  await until(async () => (await eventsOf(person)).length > 2);
  expect((await eventsOf(person)).toSorted()).toEqual(['dns_record_create', 'dns_record_delete', 'dns_record_edit']);
});

it('settles an unanswered creation later, and answers its idempotency key', async () => {
  const person = await stage.addZoneOwner();
  const { askZone, stored } = person;
  const create = () => askZone('POST', '/dns', www, key('incertain'));
  const reads = [1, 2, 3].map(() => ({ of: /GET .*dns_records/, status: 503 }));
  // The read before the write succeeds; the reads that would verify it fail.
  cloudflare.failures.push({ of: /POST .*dns_records/, status: 500, takesPlace: true, next: reads });
  expect((await create()).status).toBe(504);
  expect((await untilAnswered(create)).status).toBe(201);
  expect(stored.records).toHaveLength(1);
  await until(async () => (await eventsOf(person)).length > 0);
  expect(await eventsOf(person)).toEqual(['dns_record_create']);
});

/** Leaves a write unverified: Cloudflare answers neither the write nor the reads after it. */
async function leaveUnverified({ askZone, zoneId }: ZoneOwner, takesPlace = true, failedReads = 3): Promise<void> {
  const of = new RegExp(`GET /zones/${zoneId}/dns_records`);
  const reads = Array.from({ length: failedReads }, () => ({ of, status: 503 }));
  cloudflare.failures.push({ of: /POST .*dns_records/, status: 500, takesPlace, next: reads });
  const created = await askZone('POST', '/dns', www);
  expect(created.status).toBe(504);
}

it('settles a pending write before another configuration changes the zone, in the name of the first', async () => {
  const person = await stage.addZoneOwner();
  const other = await stage.addColleague(person);
  await leaveUnverified(person);
  const created = await other.askZone('POST', '/dns', { type: 'A', name: 'autre', content: '203.0.113.2' });
  expect(created.status).toBe(201);
  expect(await countPendingWrites()).toBe(0);
  await until(async () => (await eventsOf(person)).length > 0);
  expect(await eventsOf(person)).toEqual(['dns_record_create']);
});

it('audits pending writes of a deleted zone as refused', async () => {
  const person = await stage.addZoneOwner();
  // No later read may verify it before the zone is gone.
  await leaveUnverified(person, true, 100);
  cloudflare.removeZone(person.zoneId);
  cloudflare.failures.length = 0;
  await agePendingWrites();
  await until(async () => (await countPendingWrites()) === 0);
  expect(await refusedLines(person.name)).toMatchObject([{ action: 'dns_record_create' }]);
});

it('abandons what can no longer be verified, after a week or with its configuration', async () => {
  const line = { action: 'dns_record_create', content: '203.0.113.1', unverified: true };
  const leaver = await stage.addZoneOwner();
  await leaveUnverified(leaver, false);
  await leaver.ask('DELETE', '/config');
  expect(await refusedLines(leaver.name)).toMatchObject([line]);
  const person = await stage.addZoneOwner();
  await leaveUnverified(person, false);
  cloudflare.revoke(`${person.email} ${person.key}`);
  expect(await countPendingWrites()).toBe(1);
  await stage.product.database.query("update dns.intents set at = at - interval '8 days', try_at = now()");
  await until(async () => (await countPendingWrites()) === 0);
  expect(await refusedLines(person.name)).toMatchObject([line]);
});

it('reports a change as done even when the zone’s lock cannot be released', async () => {
  const { askZone } = await stage.addZoneOwner();
  await stage.product.database.query(
    `create function dns.hold_turn() returns trigger language plpgsql as
       $$ begin raise exception 'as the test asked'; end $$;
     create trigger hold_turn before delete on dns.zone_turns for each row execute function dns.hold_turn()`,
  );
  try {
    const created = await askZone('POST', '/dns', www);
    expect(created.status).toBe(201);
  } finally {
    await stage.product.database.query('drop function dns.hold_turn() cascade');
  }
});

it('deletes old snapshots, except the last one of an existing zone', async () => {
  const { askZone, zoneId } = await stage.addZoneOwner(hosts(1));
  await askZone('GET', '/dns');
  const { rows } = await stage.product.database.query('select config_id as id from dns.zones where id = $1', [zoneId]);
  const addSnapshot = (id: string, days: number) =>
    stage.product.database.query(
      `insert into dns.snapshots (id, config_id, zone_id, at, reason, counts, total, version, is_drift, records)
       values (gen_random_uuid(), $1, $2, now() - make_interval(days => $3), 'look', '{}', 0, 'v', false, '[]')`,
      [rows[0]?.['id'], id, days],
    );
  const ages = async (id: string) => {
    const snapshots = await stage.product.database.query(
      'select round(extract(days from now() - at)) as days from dns.snapshots where zone_id = $1 order by at desc',
      [id],
    );
    return snapshots.rows.map(({ days }) => Number(days));
  };
  await stage.product.database.query(
    "update dns.snapshots set id = 'ffffffff-ffff-7fff-bfff-ffffffffffff', at = now() - interval '401 days' where zone_id = $1",
    [zoneId],
  );
  for (const days of [401, 399]) await addSnapshot(zoneId, days);
  for (const days of [401, 399]) await addSnapshot('partie', days);
  await stage.product.processesOf('dns-svc').at(-1)?.kill('SIGKILL');
  await stage.product.add('dns-svc');
  await until(async () => (await ages('partie')).length === 1);
  expect([await ages('partie'), await ages(zoneId)]).toEqual([[399], [399, 401]]);
});

it('records a zone whose creation was interrupted, once', async () => {
  const person = await stage.addZoneOwner();
  const create = () => person.ask('POST', '/zones', { domain: `neuve-${person.name}` }, key('zone'));
  await killWhileWaiting(/POST \/zones$/, true, create);
  const repeated = await untilAnswered(create);
  expect([repeated.status, repeated.body['zone']]).toMatchObject([
    201,
    { name: `neuve-${person.name}`, status: 'pending' },
  ]);
  expect(cloudflare.count(/POST \/zones$/)).toBe(1);
  await until(async () => (await eventsOf(person)).length > 0);
  expect(await eventsOf(person)).toEqual(['zone_create']);
  // An existing zone is refused, also one that somebody else created.
  const twice = await person.ask('POST', '/zones', { domain: `neuve-${person.name}` }, key('autre-zone'));
  expect([twice.status, cloudflare.count(/POST \/zones$/), await countPendingWrites()]).toEqual([409, 1, 0]);
});
