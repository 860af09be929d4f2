import { randomBytes } from 'node:crypto';
import type { FakeCloudflare } from './cloudflare';
import type { TestProduct } from './product';

type Asking = { product: TestProduct; cloudflare: FakeCloudflare; token: string };

/** An account at Cloudflare that the session's user has configured, with one zone in it. */
export async function openZone({ product, cloudflare, token }: Asking, records: readonly object[] = []) {
  const name = `${randomBytes(5).toString('hex')}.fr`;
  const email = `dns@${name}`;
  const key = `cle-${randomBytes(12).toString('hex')}`;
  const accountId = cloudflare.addAccount(email, key);
  const zone = cloudflare.addZone(accountId, name, records);
  const made = await product.request('POST', '/api/cloudflare/config', { token, body: { email, api_key: key } });
  if (made.status !== 201) throw new Error(`no configuration: ${made.text}`);
  return { accountId, email, key, name, zoneId: zone.id, at: `/api/cloudflare/zones/${zone.id}` };
}
