import { randomBytes, randomUUID } from 'node:crypto';
import type { FakeCloudflare } from './cloudflare';
import { openZone } from './dns';
import type { ForeignObject, Made } from './foreign-objects';
import { type Person, sessionOf } from './people';
import type { TestProduct } from './product';

type Read = (path: string) => Promise<Record<string, unknown>>;
/** A new zone with a function that reads as its owner. */
type Zone = { token: string; zoneId: string; recordId: string; read: Read };
type Use = (zone: Zone) => Made | Promise<Made>;

/**
 * The same for zones at Cloudflare: each object is a new zone in its owner's account. `accounts` maps the email of each
 * owner to the configured account.
 */
export function foreignZones(
  product: TestProduct,
  cloudflare: FakeCloudflare,
  accounts = new Map<string, Promise<string>>(),
): Record<string, ForeignObject> {
  const open = async (owner: Person): Promise<Zone> => {
    const token = await sessionOf(product, owner);
    const opened =
      accounts.get(owner.email) ?? openZone({ product, cloudflare, token }).then(({ accountId }) => accountId);
    accounts.set(owner.email, opened);
    const accountId = await opened;
    const zone = cloudflare.addZone(accountId, `${randomBytes(5).toString('hex')}.fr`);
    const record = cloudflare.recordsOf(zone.id).create({ type: 'A', name: 'www', content: '203.0.113.1' });
    const read = (path: string) => readFreely({ product, cloudflare, token, accountId }, path);
    await read(`/api/cloudflare/zones/${zone.id}`);
    return { token, zoneId: zone.id, recordId: record.id, read };
  };
  const uses = Object.entries({ ...ofRecords(), ...ofHistory(), ...ofLinks(product) });
  return Object.fromEntries(
    uses.map(([route, use]) => {
      const make = async (owner: Person) => use(await open(owner));
      return [route.replace('ZONE', '/api/cloudflare/zones/{zone_id}'), { make, isOpenToAdminMode: true }];
    }),
  );
}

type Reader = { product: TestProduct; cloudflare: FakeCloudflare; token: string; accountId: string };

/** Changes to another login of the same account when Vigie's rate limit for one login is reached. */
async function readFreely(reader: Reader, path: string): Promise<Record<string, unknown>> {
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
  (body?: object): Use =>
  ({ zoneId, recordId }) => ({ params: { id: zoneId, zone_id: zoneId, record_id: recordId }, ...(body && { body }) });

const form = { type: 'A', name: 'api', content: '203.0.113.2' };
const changes = { changes: [{ action: 'create', record: form }] };
const file = { content: 'api 300 IN A 203.0.113.2\n' };

const ofRecords = (): Record<string, Use> => ({
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

function ofHistory(): Record<string, Use> {
  const inHistory =
    (body?: object): Use =>
    async ({ zoneId, read }) => {
      const at = `/api/cloudflare/zones/${zoneId}`;
      await read(`${at}/dns`);
      const history = await read(`${at}/history`);
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

function ofLinks(product: TestProduct): Record<string, Use> {
  const withSite: Use = async ({ token, zoneId }) => {
    const ssh = { host: '203.0.113.9', user: 'sh', wp_path: '/srv/site', auth: { password: 'x' } };
    const body = { name: `site ${randomUUID()}`, url: 'https://exemple.fr', connection: { ssh } };
    const made = await product.request('POST', '/api/sites', { token, body });
    return { params: { zone_id: zoneId, site_id: String(made.body['id']) } };
  };
  return {
    'POST ZONE/link/{site_id}': async (zone) => ({ ...(await withSite(zone)), body: {} }),
    'DELETE /api/cloudflare/sites/{site_id}/zone': async (zone) => {
      const { params } = await withSite(zone);
      const at = `/api/cloudflare/zones/${zone.zoneId}/link/${params['site_id']}`;
      await product.request('POST', at, { token: zone.token, body: {} });
      return { params };
    },
  };
}
