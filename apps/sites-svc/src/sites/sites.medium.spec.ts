import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpTables } from '@vigie/testing/dump';
import { untilOutboxRead } from '@vigie/testing/outbox';
import { addServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { type Answer, TestProduct } from '@vigie/testing/product';

let product: TestProduct;
let root: string;
let client: { token: string; id: string };
let siteId: string;
let foreign: { serverId: string; groupId: string };

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  root = await product.login();
  client = await addUser(product, root);
  siteId = (await create()).id;
  const { token } = client;
  const group = await product.request('POST', '/api/groups', { token, body: { name: 'leur' } });
  foreign = { serverId: (await aServer({}, token)).id, groupId: String(group.body['id']) };
  // A login reaches the feed with a delay, and must not count as a trace of a form.
  await untilOutboxRead(product.database);
});
afterAll(() => product?.stop());

type Fields = Record<string, unknown>;
const ask = (method: string, path: string, body?: unknown, token = root, headers = {}) =>
  product.request(method, `/api/sites${path}`, { token, headers, ...(body !== undefined && { body }) });
const alone = (ssh: Fields = {}) => ({ host: 'web.exemple.fr', user: 'deploy', wp_path: '/srv/www', ...ssh });
const form = (ssh: Fields, fields: Fields = {}) => ({
  name: 'Boutique',
  url: 'https://exemple.fr',
  connection: { method: 'ssh', ssh },
  ...fields,
});
async function create(ssh: Fields = alone(), fields: Fields = {}, token = root): Promise<Answer & { id: string }> {
  const answer = await ask('POST', '', form(ssh, fields), token);
  if (answer.status !== 201) throw new Error(`no site: ${answer.status} ${answer.text}`);
  return { ...answer, id: String(answer.body['id']) };
}
const sshOf = ({ body }: Answer): Fields => Object(Object(body['connection']).ssh);
const edit = (id: string, ssh: Fields, token = root) => ask('PUT', `/${id}`, { connection: { ssh } }, token);
const password = { auth: { password: 'secret' } };
const query = async (sql: string, ...values: unknown[]) => (await product.database.query(sql, values)).rows;
const rowOf = async (id: string) => (await query('select * from sites.sites where id = $1', id))[0] ?? {};
const aServer = (fields: Fields = {}, token = root) =>
  addServer(product, token, { name: 'web-03', host: 'web-03.exemple.fr', user: 'www', port: 2222, ...fields });

describe('a site', () => {
  it('is created with the submitted fields, and has no status before the first test', async () => {
    const { body } = await create(alone(password), { name: ' Boutique É ', url: 'https://Exemple.FR/' });
    expect(body).toMatchObject({
      name: 'Boutique É',
      url: 'https://exemple.fr',
      status: 'unknown',
      updates: null,
      plugins_count: null,
      http: null,
      plugins: [],
      facts: null,
    });
    expect(sshOf(await ask('GET', `/${String(body['id'])}`))).toMatchObject({
      host: 'web.exemple.fr',
      port: null,
      has_password: true,
      has_key: false,
      effective: { host: 'web.exemple.fr', port: 22, user: 'deploy' },
    });
  });

  it('without a server and without a password gets a key pair of its own', async () => {
    const ssh = sshOf(await create());
    expect(ssh).toMatchObject({ has_password: false, has_key: true });
    expect(ssh['public_key']).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]+$/);
  });

  it.each([
    ['no name', form(alone(), { name: ' ' }), 400, 'Veuillez renseigner un nom et une URL.'],
    ['no URL', form(alone(), { url: '' }), 400, 'Veuillez renseigner un nom et une URL.'],
    ...(['host', 'user', 'wp_path'] as const).map(
      (field) =>
        [
          `neither a server nor ${field}`,
          form(alone({ [field]: '' })),
          400,
          'Renseignez hôte, utilisateur et chemin WP ou sélectionnez un serveur.',
        ] as const,
    ),
  ] as [string, object, number, string][])('with %s is refused with a message', async (_, body, status, sentence) => {
    const answer = await ask('POST', '', body);
    expect([answer.status, answer.body['detail']]).toEqual([status, sentence]);
  });

  it('accepts only a server of its owner, even from an administrator', async () => {
    const { id } = await create(alone(), {}, client.token);
    const connection = { ssh: { server_id: (await aServer()).id } };
    expect((await ask('PUT', `/${id}`, { connection }, root, { 'x-admin-mode': '1' })).status).toBe(404);
  });

  it('is created once under an idempotency key, although its secret is sealed anew each time', async () => {
    const key = { 'idempotency-key': 'site-1' };
    const body = form(alone({ auth: { password: 'secret' } }));
    const [one, two] = await Promise.all([ask('POST', '', body, root, key), ask('POST', '', body, root, key)]);
    expect([one.status, two.body['id']]).toEqual([201, one.body['id']]);
    expect((await ask('POST', '', form(alone({ auth: { password: 'autre' } })), root, key)).status).toBe(422);
  });

  it('appears in the feed and the audit without its secret', async () => {
    const { body } = await ask('POST', '', form(alone({ auth: { password: 'tres-secret-42' } }), { name: 'Conté' }));
    await ask('PUT', `/${String(body['id'])}`, { name: 'Raconté' });
    await ask('DELETE', `/${String(body['id'])}`);
    const items = (await ask('GET', '/../dashboard/activity?limit=3')).body['items'];
    expect(items).toMatchObject([
      { type: 'site_delete', site_name: 'Raconté', site_id: body['id'], server_id: null },
      { type: 'site_edit', site_name: 'Raconté', details: { name: 'Raconté' } },
      { type: 'site_create', site_name: 'Conté', details: { url: 'https://exemple.fr' } },
    ]);
    const tables = await dumpTables(product.database);
    expect([...tables].filter(([, text]) => text.includes('tres-secret-42'))).toEqual([]);
    expect(tables.get('sites.audit_lines') ?? [...tables.keys()].join()).toMatch(/site_delete/);
  });
});

describe('the connection of a site', () => {
  it('uses the site’s own fields, then its server’s, then the defaults', async () => {
    const { id: serverId } = await aServer();
    expect(sshOf(await create({ server_id: serverId }))).toMatchObject({
      server_name: 'web-03',
      host: null,
      has_key: false,
      has_password: false,
      effective: { host: 'web-03.exemple.fr', port: 2222, user: 'www' },
    });
    expect(sshOf(await create({ server_id: serverId, user: 'autre' }))['effective']).toEqual({
      host: 'web-03.exemple.fr',
      port: 2222,
      user: 'autre',
    });
    expect(sshOf(await create(alone()))['effective']).toMatchObject({ port: 22 });
  });

  it('uses its server’s key at another address, and never its password', async () => {
    const { id: keyed } = await aServer();
    const { id: worded } = await aServer({ auth: { password: 'secret' } });
    expect((await ask('POST', '', form({ server_id: keyed, host: 'autre.exemple.fr' }))).status).toBe(201);
    const refused = await ask('POST', '', form({ server_id: worded, host: 'autre.exemple.fr' }));
    expect([refused.status, refused.body['detail']]).toEqual([
      400,
      expect.stringContaining('donnez à ce site son propre mot de passe'),
    ]);
    expect((await ask('POST', '', form({ server_id: worded, host: 'autre.exemple.fr', ...password }))).status).toBe(
      201,
    );
  });

  it('with a password of its own stays bound to that address', async () => {
    const { id: serverId } = await aServer();
    const { id, ...created } = await create({ server_id: serverId, ...password });
    expect(sshOf(created)).toMatchObject({ has_password: true, effective: { host: 'web-03.exemple.fr', port: 2222 } });
    const movedAnswer = await edit(id, { port: 2200 });
    expect([movedAnswer.status, movedAnswer.body['detail']]).toEqual([
      400,
      expect.stringContaining('saisissez de nouveau'),
    ]);
    const { status, body } = await edit(id, { server_id: serverId, port: 2200, ...password });
    expect([status, sshOf({ body } as Answer)['effective']]).toEqual([200, expect.objectContaining({ port: 2200 })]);
  });

  it('switches from a generated key, or a removed password, to its server’s credential', async () => {
    const { id: serverId } = await aServer();
    const { id } = await create();
    expect(sshOf(await edit(id, { server_id: serverId }))).toMatchObject({ has_key: false, public_key: null });
    await edit(id, { ...alone(), server_id: serverId, ...password });
    expect(await rowOf(id)).toMatchObject({ method: 'password' });
    await edit(id, { auth: null });
    expect(await rowOf(id)).toMatchObject({ method: null, credential: null });
    expect(sshOf(await edit(id, { server_id: null }))).toMatchObject({ has_key: true });
  });

  it('drops the pinned key and the stored state when it moves', async () => {
    const { id } = await create();
    await query(
      `update sites.sites set host_key = 'SHA256:x', read_at = now(), updates_core = 1, updates_plugins = 0, updates_themes = 0 where id = $1`,
      id,
    );
    expect((await ask('GET', `/${id}`)).body['status']).toBe('warning');
    const { body } = await edit(id, { host: 'neuf.exemple.fr' });
    expect(body).toMatchObject({ status: 'unknown', read_at: null });
    expect(await rowOf(id)).toMatchObject({ host_key: null, version: 2 });
    expect((await ask('PUT', `/${id}`, { name: 'neuf' })).body).toMatchObject({ name: 'neuf' });
    expect(await rowOf(id)).toMatchObject({ version: 2 });
  });

  it('follows its server to a new address, without the old state', async () => {
    const { id: serverId } = await aServer();
    const { id } = await create({ server_id: serverId });
    const { id: apart } = await create({ ...alone(), port: 22, server_id: serverId, ...password });
    await query("update sites.sites set host_key = 'SHA256:x', read_at = now() where id = any($1)", [id, apart]);
    await product.request('PUT', `/api/servers/${serverId}`, { token: root, body: { host: 'neuf.exemple.fr' } });
    expect(await rowOf(id)).toMatchObject({ version: 2, host_key: null, read_at: null });
    expect(await rowOf(apart)).toMatchObject({ version: 2, host_key: 'SHA256:x', read_at: expect.any(Date) });
    expect(sshOf(await ask('GET', `/${id}`))['effective']).toMatchObject({ host: 'neuf.exemple.fr' });
  });

  it('is kept when its server is deleted', async () => {
    const { id: serverId } = await aServer();
    const { id } = await create({ server_id: serverId });
    const { status, body } = await product.request('DELETE', `/api/servers/${serverId}`, { token: root });
    expect([status, Object(body['detail']).code]).toEqual([409, 'sites_attached']);
    await product.request('DELETE', `/api/servers/${serverId}?force=1`, { token: root });
    expect((await ask('GET', `/${id}`)).body).toMatchObject({
      status: 'error',
      ssh_error: expect.stringContaining('Le serveur de ce site a été supprimé'),
    });
  });
});

const countRows = async () => {
  const tables = await dumpTables(product.database);
  return [...tables].filter(([name]) => /^sites\.(sites|groups|site_groups|sweeps|activity)$/.test(name));
};

type Refused = [string, () => object, number];
const refused: Refused[] = [
  ...[
    '/a\0b',
    '/a\nb',
    '/a\u001b[2J',
    '/srv/../etc',
    '/a/..',
    'srv/www',
    '--exec',
    '~/www',
    `/${'a'.repeat(5_000)}`,
    '/a\u2028b',
  ].map(
    (path): Refused => [`the path ${JSON.stringify(path).slice(0, 20)}`, () => form(alone({ wp_path: path })), 400],
  ),
  ...[
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://x.fr',
    'https://a:b@x.fr',
    'https://',
    'https://x.fr\\@y.fr',
    'x.fr',
    'https://a b.fr',
    `https://${'a'.repeat(3_000)}.fr`,
  ].map((url): Refused => [`the URL ${url.slice(0, 20)}`, () => form(alone(), { url }), 400]),
  ...['-oProxyCommand=id', 'a;id', '$(id)', 'a\0b', 'a b'].flatMap((text): Refused[] => [
    [`the host ${JSON.stringify(text)}`, () => form(alone({ host: text })), 400],
    [`the user ${JSON.stringify(text)}`, () => form(alone({ user: text })), 400],
  ]),
  ['a name of two lines', () => form(alone(), { name: 'a\nb' }), 400],
  ['a name that is a number', () => form(alone(), { name: 7 }), 422],
  ['a list for a path', () => form(alone({ wp_path: ['/srv'] })), 422],
  ['a port that is a text', () => form(alone({ port: '22' })), 422],
  ['a port out of range', () => form(alone({ port: 70_000 })), 400],
  ['another method', () => ({ ...form(alone()), connection: { method: 'ftp', ssh: {} } }), 400],
  ['groups that are no list', () => form(alone(), { groups: 'tous' }), 422],
  ['an id that is none', () => form(alone({ server_id: "' or 1=1 --" })), 400],
  ['two proofs', () => form(alone({ auth: { password: 'x', privateKeyPem: 'y' } })), 400],
  ['a foreign server', () => form(alone({ server_id: foreign.serverId })), 404],
  ['a foreign group', () => form(alone(), { groups: [foreign.groupId] }), 400],
];

describe('a form with', () => {
  it.each(refused)('%s is refused, and nothing changes', async (_, make, status) => {
    const before = await countRows();
    expect((await ask('POST', '', make())).status).toBe(status);
    expect((await ask('PUT', `/${siteId}`, make())).status).toBe(status);
    expect(await countRows()).toEqual(before);
  });

  it.each(['/srv/été 2026/🚀 $(id)', '/srv/l\'île "x"', '/-rf/--exec', '/srv//www/'])(
    'the legal path %s is accepted',
    async (path) => {
      const { status, body } = await ask('POST', '', form(alone({ wp_path: path })));
      expect([status, Object(body['connection']).ssh.wp_path]).toEqual([
        201,
        path.replaceAll('//', '/').replace(/\/$/, ''),
      ]);
    },
  );
});

describe('a list with', () => {
  it.each([
    ['q=%00', 400],
    ['q=%27%3B%20drop%20table%20sites', 200],
    ['q=%25', 200],
    ['sort=credential', 400],
    ['status=parfait', 400],
    ['limit=0', 400],
    ['group_id=x', 400],
  ])('%s is answered', async (search, status) => {
    expect((await ask('GET', `?${search}`)).status).toBe(status);
  });
});
