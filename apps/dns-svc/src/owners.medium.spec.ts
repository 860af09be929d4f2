import { afterAll, beforeAll, expect, it } from 'vitest';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { openZone } from '@vigie/testing/dns';
import { addUser } from '@vigie/testing/people';
import { portOfWorker } from '@vigie/testing/left-products';
import { TestProduct } from '@vigie/testing/product';
import { testServers } from '@vigie/testing/servers';
import { until } from '@vigie/testing/until';
import { Redis } from 'ioredis';

let product: TestProduct;
let cloudflare: FakeCloudflare;
let root: string;

beforeAll(async () => {
  cloudflare = await FakeCloudflare.start(await portOfWorker('cloudflare'));
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'dns-svc'], {
    VIGIE_CLOUDFLARE_URL: cloudflare.url,
  });
  root = await product.login();
});
afterAll(async () => {
  await product?.stop();
  await cloudflare?.close();
});

const adminMode = { 'x-admin-mode': '1' };

it('an administrator with the admin mode sees the zones of all, its own without', async () => {
  const people = await Promise.all([1, 2].map(async () => addUser(product, root)));
  const zones = [];
  for (const { token } of people) {
    const zone = await openZone({ product, cloudflare, token });
    await product.request('GET', '/api/cloudflare/zones', { token });
    zones.push(zone);
  }
  const seen = await product.request('GET', '/api/cloudflare/zones', { token: root, headers: adminMode });
  const names = (seen.body['zones'] as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(zones.map(({ name }) => name)));
  expect((await product.request('GET', '/api/cloudflare/zones', { token: root })).status).toBe(409);
  const body = { type: 'A', name: 'www', content: '203.0.113.1' };
  const foreign = { token: people[1]?.token ?? '', body };
  expect((await product.request('POST', `${zones[0]?.at}/dns`, foreign)).status).toBe(404);
  const made = await product.request('POST', `${zones[0]?.at}/dns`, { token: root, body, headers: adminMode });
  expect(made.status).toBe(201);
});

it('a zone that two people reach is changed by the login of whoever it was opened by, or by none', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => addUser(product, root)));
  const first = await openZone({ product, cloudflare, token: one?.token ?? '' });
  const other = { email: `autre@${first.name}`, api_key: `autre-${first.key}` };
  cloudflare.addKey(first.accountId, other.email, other.api_key);
  await product.request('POST', '/api/cloudflare/config', { token: two?.token ?? '', body: other });
  for (const who of [one, two]) await product.request('GET', '/api/cloudflare/zones', { token: who?.token ?? '' });
  const ask = (method: string, path: string, body?: object, token = root) =>
    product.request(method, `/api/cloudflare${path}`, {
      token,
      ...(body && { body }),
      ...(token === root && { headers: adminMode }),
    });
  const list = await ask('GET', `/zones?q=${first.name}`);
  const zones = list.body['zones'] as { id: string; ref: string; config_name: string }[];
  expect(zones.map(({ config_name: name }) => name).toSorted()).toEqual([other.email, first.email].toSorted());
  const [theirs] = zones.filter(({ config_name: name }) => name === other.email);
  const found = await product.request('GET', `/api/search?q=${first.name}`, { token: root, headers: adminMode });
  const refs = (of: unknown) => (of as { ref: string }[]).map(({ ref }) => ref).toSorted();
  expect(refs(found.body['zones'])).toEqual(refs(zones));
  const body = { type: 'A', name: 'www', content: '203.0.113.1' };
  const blind = await ask('POST', `/zones/${first.zoneId}/dns`, body);
  expect([blind.status, Object(blind.body['detail']).code]).toEqual([409, 'zone_ambiguous']);
  expect(Object(blind.body['detail']).message).toContain(first.email);
  expect(Object(blind.body['detail']).message).toContain(other.email);
  const line = () => cloudflare.ledger.findLast(({ method }) => method === 'POST');
  expect((await ask('POST', `/zones/${encodeURIComponent(theirs?.ref ?? '')}/dns`, body)).status).toBe(201);
  expect(line()?.by).toBe(other.email);
  // Each of them is asked nothing, and acts with its own.
  const own = await ask('POST', `/zones/${first.zoneId}/dns`, { ...body, name: 'a' }, one?.token);
  expect([own.status, line()?.by]).toEqual([201, first.email]);
  expect((await ask('GET', `/zones/${theirs?.ref}/dns`, undefined, one?.token)).status).toBe(404);
});

it('what one of two people changes in their zone is no drift to the other; what neither did is', async () => {
  const { token } = await addUser(product, root);
  const { at, accountId, zoneId, name } = await openZone({ product, cloudflare, token });
  const other = await addUser(product, root);
  const login = { email: `autre@${name}`, api_key: `autre-${name}` };
  cloudflare.addKey(accountId, login.email, login.api_key);
  await product.request('POST', '/api/cloudflare/config', { token: other.token, body: login });
  const look = async (what: string) => (await product.request('GET', `${at}/${what}`, { token: other.token })).body;
  await look('dns');
  cloudflare.recordsOf(zoneId).create({ type: 'A', name: 'ailleurs', content: '203.0.113.2' });
  const body = { type: 'A', name: 'www', content: '203.0.113.1' };
  expect((await product.request('POST', `${at}/dns`, { token, body })).status).toBe(201);
  expect(await look('dns')).toMatchObject({ total: 2, drift: { added: 1, changed: 0, removed: 0 } });
  expect((await look('history'))['items']).toMatchObject([
    { reason: 'look', is_drift: true, total: 2 },
    { reason: 'write', is_drift: false, counts: { added: 1 }, total: 1, actor_name: 'Anne Le Goff' },
    { reason: 'first' },
  ]);
});

it('a deleted user’s configuration goes with its links and history, and its session makes no other', async () => {
  const { token, id } = await addUser(product, root);
  const { at, email, key } = await openZone({ product, cloudflare, token }, [
    { type: 'A', name: 'a', content: '203.0.113.1' },
  ]);
  await product.request('GET', `${at}/dns`, { token });
  const count = async () => {
    const { rows } = await product.database.query<{ n: number }>(
      `select count(*)::int as n from dns.configs c left join dns.snapshots s on s.config_id = c.id
       left join dns.zones z on z.config_id = c.id where owner_id = $1`,
      [id],
    );
    return rows[0]?.n;
  };
  expect(await count()).toBe(1);
  await product.request('DELETE', `/api/admin/users/${id}`, { token: root });
  await until(async () => (await count()) === 0);
  const late = await product.request('POST', '/api/cloudflare/config', { token, body: { email, api_key: key } });
  expect(late.status).toBe(401);
  expect(await count()).toBe(0);
});

it('a zone of thousands of records is listed whole, with few questions to Cloudflare', async () => {
  const { token } = await addUser(product, root);
  const records = Array.from({ length: 3_000 }, (_, n) => ({
    type: 'TXT',
    name: `h${n}`,
    content: `"${`texte ${n} `.repeat(20)}"`,
  }));
  const { at, zoneId } = await openZone({ product, cloudflare, token }, records);
  const before = cloudflare.count(new RegExp(`/zones/${zoneId}/dns_records`));
  const { body } = await product.request('GET', `${at}/dns`, { token });
  expect(body).toMatchObject({ total: 3_000 });
  expect(new Set((body['records'] as { id: string }[]).map(({ id }) => id)).size).toBe(3_000);
  expect(cloudflare.count(new RegExp(`/zones/${zoneId}/dns_records`)) - before).toBe(1);
  const alone = await product.request('GET', `${at}/dns?limit=10&offset=100`, { token });
  expect([alone.body['version'], cloudflare.count(new RegExp(`/zones/${zoneId}/dns_records`)) - before]).toEqual([
    body['version'],
    1,
  ]);
  // A page of its own is no older than a minute, whatever was read before.
  cloudflare.recordsOf(zoneId).create({ type: 'A', name: 'neuf', content: '203.0.113.1' });
  await product.database.query("update dns.zones set looked_at = now() - interval '61 seconds'");
  const late = await product.request('GET', `${at}/dns?limit=10&offset=100`, { token });
  expect(late.body).toMatchObject({ total: 3_001, drift: { added: 1 } });
  expect(Date.now() - Date.parse(String(late.body['read_at']))).toBeLessThan(60_000);
  // Whoever reads on in what was there before is not told that it was so just now.
  const on = await product.request('GET', `${at}/dns?limit=10&offset=10&version=${String(body['version'])}`, { token });
  expect(on.body).toMatchObject({ total: 3_000, version: body['version'] });
  expect(Date.parse(String(on.body['read_at']))).toBeLessThan(Date.parse(String(late.body['read_at'])));
  // Asking again would not bring back what nobody has any more.
  const unknown = await product.request('GET', `${at}/dns?limit=10&offset=10&version=inconnue`, { token });
  expect([unknown.status, unknown.body['detail']]).toEqual([409, expect.objectContaining({ code: 'zone_changed' })]);
  const part = await product.request('GET', `${at}/dns?q=h29&limit=10&offset=5&sort=-name`, { token });
  expect(part.body).toMatchObject({ total: 111 });
  expect(part.body['records']).toHaveLength(10);
  expect(part.headers.get('x-total-count')).toBe('111');
});

it('nobody asks Cloudflare more often than its budget allows', async () => {
  const redis = new Redis(testServers().redisUrl);
  const buckets = () => redis.keys(`vigie:${product.keys['dns-svc'].instance}:count:cloudflare:*`);
  const others = await buckets();
  const { token } = await addUser(product, root);
  const { at } = await openZone({ product, cloudflare, token });
  // As if another replica had asked meanwhile.
  const [bucket = ''] = (await buckets()).filter((key) => !others.includes(key));
  await redis.incrby(bucket, 900);
  await redis.quit();
  let last = await product.request('GET', at, { token });
  const asked = cloudflare.ledger.length;
  while (last.status === 200 && cloudflare.ledger.length - asked < 300) {
    const many = await Promise.all(Array.from({ length: 20 }, () => product.request('GET', at, { token })));
    last = many.find(({ status }) => status !== 200) ?? last;
  }
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
  expect(cloudflare.ledger.length - asked).toBeLessThanOrEqual(100);
  expect(cloudflare.ledger.length - asked).toBeGreaterThan(50);
  expect(last.body['detail']).toContain('Trop de demandes à Cloudflare');
});
