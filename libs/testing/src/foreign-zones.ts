import { randomBytes, randomUUID } from 'node:crypto';
import type { FakeCloudflare } from './cloudflare';
import { openZone } from './dns';
import type { ForeignObject, RequestParts } from './foreign-objects';
import { type Person, sessionOf } from './people';
import type { TestProduct } from './product';

type ReadPath = (path: string) => Promise<Record<string, unknown>>;
/** A new zone with a function that reads as its owner. */
type Zone = { token: string; zoneId: string; recordId: string; read: ReadPath };
type MakeParams = (zone: Zone) => RequestParts | Promise<RequestParts>;

/**
 * The same for zones at Cloudflare: each object is a new zone in its owner's account. `accounts` maps the email of each
 * owner to the configured account.
 */
export function foreignZones(
  product: TestProduct,
  cloudflare: FakeCloudflare,
  accounts = new Map<string, Promise<string>>(),
): Record<string, ForeignObject> {
  const openForeignZone = async (owner: Person): Promise<Zone> => {
    const token = await sessionOf(product, owner);
    const account =
      accounts.get(owner.email) ?? openZone({ product, cloudflare, token }).then(({ accountId }) => accountId);
    accounts.set(owner.email, account);
    const accountId = await account;
    const zone = cloudflare.addZone(accountId, `${randomBytes(5).toString('hex')}.fr`);
    const record = cloudflare.recordsOf(zone.id).create({ type: 'A', name: 'www', content: '203.0.113.1' });
    const read = (path: string) => readWithinLimits({ product, cloudflare, token, accountId }, path);
    await read(`/api/cloudflare/zones/${zone.id}`);
    return { token, zoneId: zone.id, recordId: record.id, read };
  };
  const routes = Object.entries({ ...recordRoutes(), ...historyRoutes(), ...linkRoutes(product) });
  return Object.fromEntries(
    routes.map(([route, makeParams]) => {
      const make = async (owner: Person) => makeParams(await openForeignZone(owner));
      return [route.replace('ZONE', '/api/cloudflare/zones/{zone_id}'), { make, isOpenToAdminMode: true }];
    }),
  );
}

type Reader = { product: TestProduct; cloudflare: FakeCloudflare; token: string; accountId: string };

/** Changes to another login of the same account when Vigie's rate limit for one login is reached. */
async function readWithinLimits(reader: Reader, path: string): Promise<Record<string, unknown>> {
  const { product, token } = reader;
  for (;;) {
    const { status, body, text } = await product.request('GET', path, { token });
    if (status === 200) return body;
    if (status !== 429) throw new Error(`${path}: ${status} ${text}`);
    await changeLogin(reader);
  }
}

async function changeLogin({ product, cloudflare, token, accountId }: Reader): Promise<void> {
  const [email, key] = [`dns@${randomBytes(5).toString('hex')}.fr`, `cle-${randomBytes(12).toString('hex')}`];
  cloudflare.addKey(accountId, email, key);
  const body = { mode: 'global_key', email, api_key: key };
  const { status, text } = await product.request('PUT', '/api/cloudflare/config', { token, body });
  if (status !== 200) throw new Error(`no other login: ${status} ${text}`);
}

const inZone =
  (body?: object): MakeParams =>
  ({ zoneId, recordId }) => ({ params: { id: zoneId, zone_id: zoneId, record_id: recordId }, ...(body && { body }) });

const form = { type: 'A', name: 'api', content: '203.0.113.2' };
const changes = { changes: [{ action: 'create', record: form }] };
const file = { content: 'api 300 IN A 203.0.113.2\n' };

const recordRoutes = (): Record<string, MakeParams> => ({
  'GET /api/cloudflare/zones/{id}': inZone(),
  'GET ZONE/dns': inZone(),
  'GET ZONE/dns/export': inZone(),
  'GET ZONE/dns/lint': inZone(),
  'GET ZONE/dns/{record_id}': inZone(),
  'PUT ZONE/dns/{record_id}': inZone({ ttl: 600 }),
  'DELETE ZONE/dns/{record_id}': inZone(),
  'POST ZONE/dns': inZone(form),
  'POST ZONE/dns/bulk': inZone(changes),
  'POST ZONE/dns/import': inZone(file),
  'POST ZONE/dns/import/preview': inZone(file),
  'POST ZONE/dns/preview': inZone(changes),
  'POST ZONE/subdomain': inZone({ subdomain: 'api', content: '203.0.113.2' }),
});

function historyRoutes(): Record<string, MakeParams> {
  const inHistory =
    (body?: object): MakeParams =>
    async ({ zoneId, read }) => {
      const basePath = `/api/cloudflare/zones/${zoneId}`;
      await read(`${basePath}/dns`);
      const history = await read(`${basePath}/history`);
      const [snapshot] = history['items'] as { id: string }[];
      return { params: { zone_id: zoneId, snapshot_id: snapshot?.id ?? '' }, ...(body && { body }) };
    };
  return {
    'GET ZONE/history': inZone(),
    'GET ZONE/history/{snapshot_id}': inHistory(),
    'GET ZONE/history/{snapshot_id}/records': inHistory(),
    'POST ZONE/history/{snapshot_id}/accept': inHistory({}),
    'POST ZONE/history/{snapshot_id}/revert': inHistory({}),
  };
}

function linkRoutes(product: TestProduct): Record<string, MakeParams> {
  const withSite: MakeParams = async ({ token, zoneId }) => {
    const ssh = { host: '203.0.113.9', user: 'sh', wp_path: '/srv/site', auth: { password: 'x' } };
    const body = { name: `site ${randomUUID()}`, url: 'https://exemple.fr', connection: { ssh } };
    const answer = await product.requestPatiently('POST', '/api/sites', { token, body });
    return { params: { zone_id: zoneId, site_id: String(answer.body['id']) } };
  };
  return {
    'POST ZONE/link/{site_id}': async (zone) => ({ ...(await withSite(zone)), body: {} }),
    'DELETE /api/cloudflare/sites/{site_id}/zone': async (zone) => {
      const { params } = await withSite(zone);
      const basePath = `/api/cloudflare/zones/${zone.zoneId}/link/${params['site_id']}`;
      await product.request('POST', basePath, { token: zone.token, body: {} });
      return { params };
    },
  };
}
