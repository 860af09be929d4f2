import { canary } from '@vigie/testing/canaries';
import type { FakeCloudflare } from '@vigie/testing/cloudflare';
import type { TestProduct } from '@vigie/testing/product';
import { sendArchive, sendFile } from '@vigie/testing/uploads';
import { anArchive } from '@vigie/testing/wpress';
import { aPlugin } from '@vigie/testing/zip';
import type { Canary } from './judge';

type Owner = { name: string; token: string };

/** Objects of every kind that belong to one user and contain canaries. */
export type OwnedData = {
  canaries: Canary[];
  ids: Record<string, string>;
  account: string;
  /** Connects the Cloudflare account again, which an attack may have removed. */
  connectCloudflare: (token: string) => Promise<unknown>;
};

/** `port` belongs to a host that accepts every login. */
export async function createOwnedData(
  product: TestProduct,
  cloudflare: FakeCloudflare,
  { name: owner, token }: Owner,
  port: number,
): Promise<OwnedData> {
  const canaries: Canary[] = [];
  const ids: Record<string, string> = {};
  const ownCanary = (name: string) => addCanary(canaries, owner, name);
  const secretCanary = (name: string) => addCanary(canaries, undefined, name);
  const create = async (name: string, path: string, body: object) => {
    const answer = await product.request('POST', path, { token, body });
    if (answer.status !== 201) throw new Error(`no ${name}: ${answer.status} ${answer.text}`);
    ids[name] = String(answer.body['id'] ?? Object(answer.body['zone']).id);
  };
  ids['owner_id'] = String((await product.request('GET', '/api/auth/me', { token })).body['id']);
  const auth = () => ({ password: secretCanary('ssh') });
  await create('server_id', '/api/servers', {
    name: ownCanary('server'),
    host: '127.0.0.1',
    port,
    user: 'sh',
    auth: auth(),
  });
  const ssh = { host: '127.0.0.1', port, user: 'sh', wp_path: `/srv/${ownCanary('path')}`, auth: auth() };
  const url = `http://${ownCanary('url')}.invalid`;
  await create('site_id', '/api/sites', { name: ownCanary('site'), url, connection: { ssh } });
  await create('group_id', '/api/groups', { name: ownCanary('group') });
  await create('view_id', '/api/site-views', { name: ownCanary('view'), columns: ['status'] });
  const upload = await sendArchive(product, aPlugin({ name: ownCanary('plugin') }), `${ownCanary('upload')}.zip`, {
    token,
  });
  ids['upload_id'] = String(upload.body['id']);
  const content = await anArchive({ files: { 'secret.txt': ownCanary('archive') } });
  const filename = `${ownCanary('backup')}.wpress`;
  await sendFile(product, `/api/sites/${ids['site_id']}/backups/upload`, { content, filename, token });
  const [email, key] = [`${ownCanary('cloudflare')}@exemple.fr`, secretCanary('key')];
  const account = cloudflare.addAccount(email, key);
  ids['zone_id'] = cloudflare.addZone(account, `${ownCanary('zone')}.fr`, [
    { type: 'TXT', name: 'www', content: ownCanary('record') },
  ]).id;
  let logins = 0;
  const connectCloudflare = (userToken: string) => {
    // Uses a new login each time, because Cloudflare limits requests per login.
    logins += 1;
    const login = `${logins}.${email}`;
    cloudflare.addKey(account, login, key);
    return product.request('POST', '/api/cloudflare/config', {
      token: userToken,
      body: { email: login, api_key: key },
    });
  };
  await connectCloudflare(token);
  await product.request('GET', `/api/cloudflare/zones/${ids['zone_id']}/dns`, { token });
  return { canaries, ids, account, connectCloudflare };
}

function addCanary(canaries: Canary[], owner: string | undefined, name: string): string {
  const value = canary(name);
  canaries.push({ value, owner });
  return value;
}
