import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FakeCloudflare } from '@vigie/testing/cloudflare';
import { DnsStage } from '@vigie/testing/dns';
import { testServers } from '@vigie/testing/servers';
import { until } from '@vigie/testing/until';
import { Redis } from 'ioredis';

let stage: DnsStage;
let cloudflare: FakeCloudflare;
beforeAll(async () => {
  stage = await DnsStage.shared();
  cloudflare = stage.cloudflare;
});
afterAll(() => stage?.stop());

const www = { type: 'A', name: 'www', content: '203.0.113.1' };

it('changes a zone of two configurations with the one it was opened by, or refuses', async () => {
  const one = await stage.addZoneOwner();
  const two = await stage.addColleague(one);
  for (const { ask } of [one, two]) await ask('GET', '/zones');
  const asRoot = (method: string, path: string, body?: object) =>
    stage.product.request(method, `/api/${path}`, { token: stage.root, body, headers: { 'x-admin-mode': '1' } });
  const list = await asRoot('GET', `cloudflare/zones?q=${one.name}`);
  const zones = list.body['zones'] as { id: string; ref: string; config_name: string }[];
  expect(zones.map(({ config_name: name }) => name).toSorted()).toEqual([two.email, one.email].toSorted());
  // Without the admin mode an administrator sees only their own zones, and has none.
  expect((await stage.product.request('GET', '/api/cloudflare/zones', { token: stage.root })).status).toBe(409);
  const [otherZone] = zones.filter(({ config_name: name }) => name === two.email);
  const searchAnswer = await asRoot('GET', `search?q=${one.name}`);
  const refs = (zonesFound: unknown) => (zonesFound as { ref: string }[]).map(({ ref }) => ref).toSorted();
  expect(refs(searchAnswer.body['zones'])).toEqual(refs(zones));
  const blind = await asRoot('POST', `cloudflare/zones/${one.zoneId}/dns`, www);
  expect([blind.status, Object(blind.body['detail']).code]).toEqual([409, 'zone_ambiguous']);
  expect(Object(blind.body['detail']).message).toContain(one.email);
  expect(Object(blind.body['detail']).message).toContain(two.email);
  const line = () => cloudflare.ledger.findLast(({ method }) => method === 'POST');
  const created = await asRoot('POST', `cloudflare/zones/${encodeURIComponent(otherZone?.ref ?? '')}/dns`, www);
  expect([created.status, line()?.by]).toEqual([201, two.email]);
  // Each owner needs no choice, and uses their own configuration.
  const own = await one.askZone('POST', '/dns', { ...www, name: 'a' });
  expect([own.status, line()?.by]).toEqual([201, one.email]);
  expect((await one.ask('GET', `/zones/${otherZone?.ref}/dns`)).status).toBe(404);
});

it('does not report a change by the other owner of a zone as drift, only changes outside Vigie', async () => {
  const one = await stage.addZoneOwner();
  const other = await stage.addColleague(one);
  const readAsOther = async (path: string) => (await other.askZone('GET', `/${path}`)).body;
  await readAsOther('dns');
  one.stored.create({ type: 'A', name: 'ailleurs', content: '203.0.113.2' });
  expect((await one.askZone('POST', '/dns', www)).status).toBe(201);
  expect(await readAsOther('dns')).toMatchObject({ total: 2, drift: { added: 1, changed: 0, removed: 0 } });
  expect((await readAsOther('history'))['items']).toMatchObject([
    { reason: 'look', is_drift: true, total: 2 },
    { reason: 'write', is_drift: false, counts: { added: 1 }, total: 1, actor_name: 'Anne Le Goff' },
    { reason: 'first' },
  ]);
});

it('deletes a user’s configuration with its links and history, and refuses a new one from its session', async () => {
  const { id, ask, askZone, email, key } = await stage.addZoneOwner([www]);
  await askZone('GET', '/dns');
  const count = async () => {
    const { rows } = await stage.product.database.query<{ n: number }>(
      `select count(*)::int as n from dns.configs c left join dns.snapshots s on s.config_id = c.id
       left join dns.zones z on z.config_id = c.id where owner_id = $1`,
      [id],
    );
    return rows[0]?.n;
  };
  expect(await count()).toBe(1);
  await stage.product.request('DELETE', `/api/admin/users/${id}`, { token: stage.root });
  await until(async () => (await count()) === 0);
  expect((await ask('POST', '/config', { email, api_key: key })).status).toBe(401);
  expect(await count()).toBe(0);
});

it('drops the link of a site that passes to another owner, whose own zones may take it', async () => {
  const [one, other] = [await stage.addZoneOwner(), await stage.addZoneOwner()];
  const ssh = { host: '203.0.113.9', user: 'www', wp_path: '/srv', auth: { password: 'x' } };
  const body = { name: 'Vitrine', url: 'https://vitrine.fr', connection: { ssh } };
  const site = String((await stage.product.request('POST', '/api/sites', { token: one.token, body })).body['id']);
  await one.askZone('POST', `/link/${site}`, {});
  const headers = { 'x-admin-mode': '1' };
  const passing = { token: stage.root, headers, body: { user_id: other.id } };
  expect((await stage.product.request('PUT', `/api/sites/${site}/owner`, passing)).status).toBe(200);
  await until(async () => Object((await one.ask('GET', '/sites/zones')).body['site_zones']).length === 0);
  expect((await one.askZone('POST', `/link/${site}`, {})).status).toBe(404);
  expect((await other.askZone('POST', `/link/${site}`, {})).status).toBe(200);
});

it('lists a zone of thousands of records with few calls to Cloudflare', async () => {
  const records = Array.from({ length: 3_000 }, (_, n) => ({
    type: 'TXT',
    name: `h${n}`,
    content: `"${`texte ${n} `.repeat(20)}"`,
  }));
  const { askZone, stored, zoneId } = await stage.addZoneOwner(records);
  const callCount = () => cloudflare.count(new RegExp(`/zones/${zoneId}/dns_records`));
  const { body } = await askZone('GET', '/dns');
  expect(body).toMatchObject({ total: 3_000 });
  expect(new Set((body['records'] as { id: string }[]).map(({ id }) => id)).size).toBe(3_000);
  expect(callCount()).toBe(1);
  const alone = await askZone('GET', '/dns?limit=10&offset=100');
  expect([alone.body['version'], callCount()]).toEqual([body['version'], 1]);
  // A page opened by itself is at most a minute old, whatever was read before.
  stored.create({ type: 'A', name: 'neuf', content: '203.0.113.1' });
  await stage.product.database.query("update dns.zones set looked_at = now() - interval '61 seconds'");
  const late = await askZone('GET', '/dns?limit=10&offset=100');
  expect(late.body).toMatchObject({ total: 3_001, drift: { added: 1 } });
  expect(Date.now() - Date.parse(String(late.body['read_at']))).toBeLessThan(60_000);
  // A page of an earlier version shows when that version was read.
  const nextPage = await askZone('GET', `/dns?limit=10&offset=10&version=${String(body['version'])}`);
  expect(nextPage.body).toMatchObject({ total: 3_000, version: body['version'] });
  expect(Date.parse(String(nextPage.body['read_at']))).toBeLessThan(Date.parse(String(late.body['read_at'])));
  // A version that is no longer stored cannot be continued.
  const unknown = await askZone('GET', '/dns?limit=10&offset=10&version=inconnue');
  expect([unknown.status, unknown.body['detail']]).toEqual([409, expect.objectContaining({ code: 'zone_changed' })]);
  const part = await askZone('GET', '/dns?q=h29&limit=10&offset=5&sort=-name');
  expect(part.body).toMatchObject({ total: 111 });
  expect(part.body['records']).toHaveLength(10);
  expect(part.headers.get('x-total-count')).toBe('111');
});

it('calls Cloudflare no more often than its budget allows', async () => {
  const redis = new Redis(testServers().redisUrl);
  const buckets = () => redis.keys(`vigie:${stage.product.keys['dns-svc'].instance}:count:cloudflare:*`);
  const others = await buckets();
  const { readZone } = await stage.addZoneOwner();
  // Simulates the calls of another replica.
  const [bucket = ''] = (await buckets()).filter((key) => !others.includes(key));
  await redis.incrby(bucket, 900);
  await redis.quit();
  let last = await readZone('');
  const callCount = cloudflare.ledger.length;
  while (last.status === 200 && cloudflare.ledger.length - callCount < 300) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => readZone('')));
    last = answers.find(({ status }) => status !== 200) ?? last;
  }
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
  expect(cloudflare.ledger.length - callCount).toBeLessThanOrEqual(100);
  expect(cloudflare.ledger.length - callCount).toBeGreaterThan(50);
  expect(last.body['detail']).toContain('Trop de demandes à Cloudflare');
});
