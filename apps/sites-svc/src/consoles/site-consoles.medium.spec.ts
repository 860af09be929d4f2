import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectBus } from '@vigie/testing/bus';
import { emptyTables } from '@vigie/testing/database';
import { addServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { claimConsole } from '@vigie/contracts/shells';

type User = Awaited<ReturnType<typeof addUser>>;

let product: TestProduct;
let owner: User;
let guest: User;
let stranger: User;
let id: string;

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  const root = await product.login();
  [owner, guest, stranger] = [await addUser(product, root), await addUser(product, root), await addUser(product, root)];
});
afterAll(() => product?.stop());
beforeEach(async () => {
  await emptyTables(product.database, 'sites.sites', 'sites.servers', 'sites.groups');
  id = await addSite();
  await share(id, 'operator');
});

const host = 'web.exemple.fr';
const key = (letter: string) => `SHA256:${letter.repeat(43)}`;
const ask = (method: string, path: string, body: object | undefined, { token }: User) =>
  product.request(method, `/api${path}`, { token, ...(body && { body }) });

async function addSite(ssh: object = { host }, user = owner): Promise<string> {
  const connection = { ssh: { user: 'www', wp_path: '/srv/www', auth: { password: 'x' }, ...ssh } };
  const { body } = await ask('POST', '/sites', { name: 'vitrine', url: 'https://exemple.fr', connection }, user);
  return String(body['id']);
}
const share = (siteId: string, role: string) =>
  ask('POST', '/grants', { site_id: siteId, user_id: guest.id, role }, owner);
const set = (table: 'sites' | 'servers', rowId: string, column: 'host' | 'host_key', value: string) =>
  product.database.query(`update sites.${table} set ${column} = $2 where id = $1`, [rowId, value]);
const ticket = (user = guest) => ask('POST', `/sites/${id}/ws-ticket`, {}, user);
/** Whether the ticket is given, which the site must say too. */
async function isOpen(user = guest): Promise<boolean> {
  const { status, body } = await ticket(user);
  const site = await ask('GET', `/sites/${id}`, undefined, user);
  expect([200, 403]).toContain(status);
  expect(site.body['can_open_console']).toBe(status === 200);
  if (status === 403) expect(body['detail']).toContain('n’est pas ouverte à ce partage');
  return status === 200;
}

describe('the console of a shared site', () => {
  it('is open to a token with that scope, unless it is narrowed to groups', async () => {
    const group = String((await ask('POST', '/groups', { name: 'clients' }, owner)).body['id']);
    await ask('PUT', `/sites/${id}`, { groups: [group] }, owner);
    const tokenOf = async (scope: string, groupIds: string[] | null): Promise<User> => {
      const expires = new Date(Date.now() + 86_400_000).toISOString();
      const wish = { name: 'essai', scopes: ['read', scope], group_ids: groupIds, expires_at: expires };
      return { ...owner, token: String((await ask('POST', '/tokens', wish, owner)).body['token']) };
    };
    expect((await ticket(await tokenOf('update', null))).status).toBe(403);
    expect(await isOpen(await tokenOf('console', null))).toBe(true);
    expect(await isOpen(await tokenOf('console', [group]))).toBe(false);
  });

  it('is open to an operator, and not to a viewer or a stranger', async () => {
    expect(await isOpen()).toBe(true);
    expect(await isOpen(owner)).toBe(true);
    expect((await ticket(stranger)).status).toBe(404);
    await share(id, 'viewer');
    expect(await ticket()).toMatchObject({ status: 403, body: { detail: expect.stringContaining('sans ce droit') } });
    expect((await ask('GET', `/sites/${id}`, undefined, guest)).body['can_open_console']).toBe(false);
  });

  it('is closed while the host has a site that is not shared, however its name is spelt', async () => {
    const other = await addSite({ host, port: 2222, user: 'autre' });
    await set('sites', other, 'host', 'WEB.Exemple.fr');
    expect(await isOpen()).toBe(false);
    expect(await isOpen(owner)).toBe(true);
    await share(other, 'viewer');
    expect(await isOpen()).toBe(false);
    await share(other, 'operator');
    expect(await isOpen()).toBe(true);
  });

  it('is closed while the host has a site of somebody else, and open beside a site of the user', async () => {
    await addSite({ host }, guest);
    expect(await isOpen()).toBe(true);
    await addSite({ host }, stranger);
    expect(await isOpen()).toBe(false);
    expect(await isOpen(owner)).toBe(true);
  });

  it('is closed while a server of somebody else is on the host', async () => {
    await addServer(product, owner.token, { name: 'web', host });
    await addServer(product, guest.token, { name: 'web', host });
    expect(await isOpen()).toBe(true);
    const { id: foreign } = await addServer(product, stranger.token, { name: 'web', host });
    expect(await isOpen()).toBe(false);
    await set('servers', foreign, 'host', 'ailleurs.exemple.fr');
    expect(await isOpen()).toBe(true);
  });

  it('counts a site that takes its host from its server', async () => {
    const { id: serverId } = await addServer(product, owner.token, { name: 'web', host });
    const other = await addSite({ server_id: serverId, user: undefined, auth: undefined });
    expect(await isOpen()).toBe(false);
    await share(other, 'operator');
    expect(await isOpen()).toBe(true);
  });

  it('knows a machine by its key under other names', async () => {
    const other = await addSite({ host: 'autre.exemple.fr' });
    await set('sites', id, 'host_key', key('A'));
    expect(await isOpen()).toBe(true);
    await set('sites', other, 'host_key', key('A'));
    expect(await isOpen()).toBe(false);
    await set('sites', other, 'host_key', key('B'));
    expect(await isOpen()).toBe(true);
    const { id: serverId } = await addServer(product, owner.token, { name: 'autre', host: 'autre.exemple.fr' });
    await set('servers', serverId, 'host_key', key('A'));
    expect(await isOpen()).toBe(false);
  });

  it('says nothing of a connection that cannot be used', async () => {
    await set('sites', id, 'host', 'ailleurs.exemple.fr');
    const detail = 'Vigie n’arrive pas à se connecter à ce site.';
    expect(await ticket()).toMatchObject({ status: 409, body: { detail } });
    expect((await ticket(owner)).body['detail']).toContain('a changé depuis que son mot de passe a été donné');
  });
});

it('is claimed by no agent of the release before, which would tell the guest of the connection', async () => {
  const agent = await connectBus(product.keys['ssh-agent']);
  const [opened] = (
    await product.database.query(
      `insert into sites.consoles (id, user_id, sid, admin_mode, site_id, server_name, host, port, login)
       values (gen_random_uuid(), $1, $1, false, $2, '', '', 1, '') returning id`,
      [guest.id, id],
    )
  ).rows;
  const claim = (more: object) => agent.call(claimConsole, { id: opened?.id, agent: 'a', for_sites: false, ...more });
  await expect(claim({})).rejects.toThrow('ne peut plus s’ouvrir');
  expect(await claim({ for_sites: true })).toMatchObject({ is_shared: false, user_id: guest.id });
  await agent.close();
});
