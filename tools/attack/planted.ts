import { canary } from '@vigie/testing/canaries';
import type { FakeCloudflare } from '@vigie/testing/cloudflare';
import type { TestProduct } from '@vigie/testing/product';
import { sendArchive, sendFile } from '@vigie/testing/uploads';
import { anArchive } from '@vigie/testing/wpress';
import { aPlugin } from '@vigie/testing/zip';
import type { Planted } from './judge';

type Party = { name: string; token: string };

/** What somebody has of each kind, with words in it that stand nowhere else; and the ids of it all. */
export type Garden = {
  planted: Planted[];
  ids: Record<string, string>;
  account: string;
  /** Where the zones are, once more: it is one of a kind, and an attack may remove it. */
  connect: (token: string) => Promise<unknown>;
};

/** `port` is of a host that answers anybody. */
export async function plant(
  product: TestProduct,
  cloudflare: FakeCloudflare,
  { name: owner, token }: Party,
  port: number,
): Promise<Garden> {
  const planted: Planted[] = [];
  const ids: Record<string, string> = {};
  const own = (name: string) => keep(planted, owner, name);
  const secret = (name: string) => keep(planted, undefined, name);
  const make = async (name: string, path: string, body: object) => {
    const answer = await product.request('POST', path, { token, body });
    if (answer.status !== 201) throw new Error(`no ${name}: ${answer.status} ${answer.text}`);
    ids[name] = String(answer.body['id'] ?? Object(answer.body['zone']).id);
  };
  ids['owner_id'] = String((await product.request('GET', '/api/auth/me', { token })).body['id']);
  const auth = () => ({ password: secret('ssh') });
  await make('server_id', '/api/servers', {
    name: own('server'),
    host: '127.0.0.1',
    port,
    user: 'sh',
    auth: auth(),
  });
  const ssh = { host: '127.0.0.1', port, user: 'sh', wp_path: `/srv/${own('path')}`, auth: auth() };
  const url = `http://${own('url')}.invalid`;
  await make('site_id', '/api/sites', { name: own('site'), url, connection: { ssh } });
  await make('group_id', '/api/groups', { name: own('group') });
  await make('view_id', '/api/site-views', { name: own('view'), columns: ['status'] });
  const upload = await sendArchive(product, aPlugin({ name: own('plugin') }), `${own('upload')}.zip`, { token });
  ids['upload_id'] = String(upload.body['id']);
  const content = await anArchive({ files: { 'secret.txt': own('archive') } });
  const filename = `${own('backup')}.wpress`;
  await sendFile(product, `/api/sites/${ids['site_id']}/backups/upload`, { content, filename, token });
  const [email, key] = [`${own('cloudflare')}@exemple.fr`, secret('key')];
  const account = cloudflare.addAccount(email, key);
  ids['zone_id'] = cloudflare.addZone(account, `${own('zone')}.fr`, [
    { type: 'TXT', name: 'www', content: own('record') },
  ]).id;
  let logins = 0;
  const connect = (by: string) => {
    // Each time by another login: how often Cloudflare was asked with the one before does not count for it.
    logins += 1;
    const login = `${logins}.${email}`;
    cloudflare.addKey(account, login, key);
    return product.request('POST', '/api/cloudflare/config', { token: by, body: { email: login, api_key: key } });
  };
  await connect(token);
  await product.request('GET', `/api/cloudflare/zones/${ids['zone_id']}/dns`, { token });
  return { planted, ids, account, connect };
}

function keep(planted: Planted[], owner: string | undefined, name: string): string {
  const value = canary(name);
  planted.push({ value, owner });
  return value;
}
