import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ConsoleClient, type ConsoleOptions, RefusedConsole, requestTicket } from '@vigie/testing/consoles';
import { emptyTables } from '@vigie/testing/database';
import { addServer, aServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { hostPassword, SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let host: SshHost;
/** The owner of the sites is an administrator, whose hosts may have private addresses. */
let root: string;
let guest: Awaited<ReturnType<typeof addUser>>;
let folder: string;
let site: string;
let grant: string;

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  host = await SshHost.start();
  root = await product.login();
  guest = await addUser(product, root);
  folder = join(host.home, 'vitrine');
  mkdirSync(folder);
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
});
beforeEach(async () => {
  await emptyTables(product.database, 'sites.sites', 'sites.servers', 'sites.consoles');
  await noSession();
  site = await addSite();
  grant = await shareSite();
});

const noSession = () => until(() => host.processes().length === 1);
const query = (sql: string, ...values: unknown[]) => product.database.query(sql, values);
const ask = async (method: string, path: string, body?: object, token = root) =>
  product.request(method, `/api${path}`, { token, ...(body && { body }) });

async function addSite(more: object = {}): Promise<string> {
  const auth = { password: hostPassword };
  const ssh = { host: '127.0.0.1', port: host.port, user: 'sh', wp_path: folder, auth, ...more };
  const body = { name: 'Vitrine', url: 'https://exemple.fr', connection: { ssh } };
  return String((await ask('POST', '/sites', body)).body['id']);
}
const shareSite = async (role = 'operator') =>
  String((await ask('POST', '/grants', { site_id: site, user_id: guest.id, role })).body['id']);
const begin = (options: ConsoleOptions = {}) =>
  ConsoleClient.open(product, site, { on: 'sites', token: guest.token, ...options });
async function open(options: ConsoleOptions = {}) {
  const client = await begin(options);
  return { client, console: String((await client.frame('attached'))['console']) };
}
const refusal = (opening: Promise<unknown>) =>
  opening.then(
    () => 'opened',
    (error: unknown) => (error instanceof RefusedConsole ? error.status : error),
  );
const rowOf = async (id: string) => (await query('select * from sites.consoles where id = $1', id)).rows[0];
const list = async (token = guest.token) =>
  (await ask('GET', '/consoles', undefined, token)).body['items'] as Record<string, unknown>[];
const pinOf = async (table: 'sites' | 'servers', id: string) =>
  (await query(`select host_key from sites.${table} where id = $1`, id)).rows[0]?.host_key;

it('opens for an operator in the folder of the site, and ends with the grant', async () => {
  const { client, console } = await open();
  client.type('pwd; echo fi"ni"\r');
  await client.waitForOutput('fini');
  expect(client.text).toContain(folder);
  expect(await pinOf('sites', site)).toBe(host.hostKey);
  const hidden = { server_id: null, server_name: null, server_type: null, user: null, host: null, port: null };
  expect(await list()).toMatchObject([{ id: console, site_id: site, site_name: 'Vitrine', ...hidden }]);
  client.cut();
  const { client: again } = await open({ query: { console, from: client.received } });
  const since = Date.now();
  expect((await ask('DELETE', `/grants/${grant}`)).status).toBe(204);
  expect((await again.closed).code).toBe(4404);
  // The promised five seconds, doubled for a busy machine.
  expect(Date.now() - since).toBeLessThan(10_000);
  expect(again.frames.at(-1)).toMatchObject({ type: 'error', code: 'site_gone' });
  await noSession();
  await until(async () => (await rowOf(console)).ended_at !== null);
  expect(await rowOf(console)).toMatchObject({ end_reason: 'site_gone', is_shared: true });
  const { rows } = await query(
    "select * from sites.audit_lines where action like 'console_%' order by at desc limit 2",
  );
  expect(rows).toMatchObject([
    { action: 'console_end', actor_id: guest.id, target: 'Vitrine', target_id: site },
    { action: 'console_open', actor_id: guest.id, target: 'Vitrine', target_id: site },
  ]);
  expect(rows.every(({ details }) => details.includes('127.0.0.1'))).toBe(true);
});

it('ends when the host has one more site, and when the connection of the site changes', async () => {
  const changes = [
    () => addSite({ user: 'bash' }),
    () => ask('PUT', `/sites/${site}`, { connection: { ssh: { user: 'bash', auth: { password: hostPassword } } } }),
  ];
  for (const change of changes) {
    const { client } = await open();
    await change();
    expect((await client.closed).code).toBe(4404);
    expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'site_gone' });
    await query('delete from sites.sites where id <> $1', site);
  }
});

it('checks the grant and the host before the WebSocket opens, for a new console and for one that waits', async () => {
  // No agent runs this console, so none ends it.
  const { rows } = await query(
    `insert into sites.consoles (id, user_id, sid, admin_mode, site_id, server_name, host, port, login)
     values (gen_random_uuid(), $1, $1, false, $2, '', '', 1, '') returning id`,
    guest.id,
    site,
  );
  const tickets: string[] = [];
  while (tickets.length < 6) tickets.push(await requestTicket(product, guest.token, site, { on: 'sites' }));
  const both = async () => [
    await refusal(begin({ ticket: tickets.pop() ?? '' })),
    await refusal(begin({ ticket: tickets.pop() ?? '', query: { console: rows[0]?.id } })),
  ];
  await addSite({ user: 'bash' });
  expect(await both()).toEqual([403, 403]);
  await query('delete from sites.sites where id <> $1', site);
  await shareSite('viewer');
  expect(await both()).toEqual([403, 403]);
  await ask('DELETE', `/grants/${grant}`);
  expect(await both()).toEqual([404, 404]);
});

it('takes a ticket and a console for the site alone', async () => {
  const { id: serverId } = await addServer(product, root, aServer(host));
  const other = await addSite();
  const ticketOf = (id: string) => requestTicket(product, root, id, { on: id === serverId ? 'servers' : 'sites' });
  expect(await refusal(ConsoleClient.open(product, serverId, { ticket: await ticketOf(site) }))).toBe(401);
  expect(await refusal(begin({ ticket: await ticketOf(serverId) }))).toBe(401);
  expect(await refusal(begin({ ticket: await ticketOf(other) }))).toBe(401);
  const { client, console } = await open({ token: root });
  const there = { token: root, query: { console } };
  expect(await refusal(ConsoleClient.open(product, serverId, there))).toBe(404);
  expect(await refusal(ConsoleClient.open(product, other, { on: 'sites', ...there }))).toBe(404);
  expect(await refusal(begin({ token: root, origin: 'https://evil.example' }))).toBe(403);
  expect(await refusal(begin({ ticket: await ticketOf(site), query: { console } }))).toBe('opened');
  client.cut();
});

it('uses the connection of the server where the site has none of its own, and shows it to the owner alone', async () => {
  const { id: serverId } = await addServer(product, root, aServer(host));
  const own = { server_id: serverId, host: undefined, port: undefined, user: undefined, auth: undefined };
  await query('delete from sites.sites');
  site = await addSite(own);
  await shareSite();
  const { client } = await open();
  client.type('pwd; echo fi"ni"\r');
  await client.waitForOutput('fini');
  expect(client.text).toContain(folder);
  expect(await pinOf('servers', serverId)).toBe(host.hostKey);
  expect(await pinOf('sites', site)).toBeNull();
  const { client: owners } = await open({ token: root });
  expect(await list(root)).toMatchObject([{ site_id: site, host: '127.0.0.1', port: host.port, user: 'sh' }]);
  for (const each of [client, owners]) each.cut();
});

it('is refused once the host shows a key under which another site is known', async () => {
  const other = await addSite({ host: 'autre.exemple.fr' });
  await query('update sites.sites set host_key = $2 where id = $1', other, host.hostKey);
  const client = await begin();
  await client.closed;
  expect(client.frames).toEqual([
    { type: 'error', code: 'site_gone', message: expect.stringContaining('n’est pas ouverte à ce partage') },
  ]);
  expect(client.output.length).toBe(0);
});

it('tells of a failed login and of a lost folder without naming the host or the folder', async () => {
  await query('update sites.sites set wp_path = $2 where id = $1', site, '/nulle/part');
  const { client } = await open();
  await client.waitForOutput('Le dossier de ce site ne s’ouvre pas');
  expect(client.text).not.toContain('/nulle/part');
  client.cut();
  await query('update sites.sites set host_key = $2 where id = $1', site, `SHA256:${'A'.repeat(43)}`);
  const moved = await begin();
  await moved.closed;
  const message = 'Vigie n’arrive pas à se connecter à ce site.';
  expect(moved.frames).toEqual([{ type: 'error', code: 'host_key_changed', message }]);
  const shown = async () => (await query('select shown_key from sites.sites where id = $1', site)).rows[0]?.shown_key;
  await until(async () => (await shown()) === host.hostKey);
  const told = await begin({ token: root });
  await told.closed;
  expect(told.frames).toEqual([
    { type: 'error', code: 'host_key_changed', message: expect.stringContaining('SHA256:') },
  ]);
});

it('admits ten consoles for each site', async () => {
  await query(
    `insert into sites.consoles (id, user_id, sid, admin_mode, site_id, server_name, host, port, login)
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), false, $1, '', '', 1, '' from generate_series(1, 10)`,
    site,
  );
  expect(await begin().catch((error: unknown) => error)).toMatchObject({
    status: 429,
    detail: { message: expect.stringContaining('Ce site a déjà 10 consoles') },
  });
});
