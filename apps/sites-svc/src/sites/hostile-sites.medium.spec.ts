import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpTables } from '@vigie/testing/dump';
import { untilHeard } from '@vigie/testing/facts';
import { addServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';

let product: TestProduct;
let root: string;
let client: { token: string };
let site: string;
let foreign: { server: string; group: string };

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  root = await product.login();
  client = await addUser(product, root);
  const { body } = await ask('POST', '/sites', form());
  site = String(body['id']);
  foreign = {
    server: (await addServer(product, client.token, { name: 'leur', host: 'leur.exemple.fr' })).id,
    group: String(
      (await product.request('POST', '/api/groups', { token: client.token, body: { name: 'leur' } })).body['id'],
    ),
  };
  // A login is told in the feed by and by, and no form is to be blamed for it.
  await untilHeard(product.database);
});
afterAll(() => product?.stop());

const ask = (method: string, path: string, body?: unknown, headers = {}) =>
  product.request(method, `/api${path}`, { token: root, headers, ...(body !== undefined && { body }) });
const form = (ssh: object = {}, fields: object = {}) => ({
  name: 'Site',
  url: 'https://exemple.fr',
  connection: { ssh: { host: 'web.exemple.fr', user: 'www', wp_path: '/srv/www', ...ssh } },
  ...fields,
});
const kept = async () => {
  const tables = await dumpTables(product.database);
  return [...tables].filter(([name]) => /^sites\.(sites|groups|site_groups|sweeps|activity)$/.test(name));
};

const refused: [string, () => object, number][] = [
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
  ].map((path): [string, () => object, number] => [
    `the path ${JSON.stringify(path).slice(0, 20)}`,
    () => form({ wp_path: path }),
    400,
  ]),
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
  ].map((url): [string, () => object, number] => [`the URL ${url.slice(0, 20)}`, () => form({}, { url }), 400]),
  ...['-oProxyCommand=id', 'a;id', '$(id)', 'a\0b', 'a b'].flatMap((text): [string, () => object, number][] => [
    [`the host ${JSON.stringify(text)}`, () => form({ host: text }), 400],
    [`the user ${JSON.stringify(text)}`, () => form({ user: text }), 400],
  ]),
  ['a name of two lines', () => form({}, { name: 'a\nb' }), 400],
  ['a name that is a number', () => form({}, { name: 7 }), 422],
  ['a list for a path', () => form({ wp_path: ['/srv'] }), 422],
  ['a port that is a text', () => form({ port: '22' }), 422],
  ['a port out of range', () => form({ port: 70_000 }), 400],
  ['another method', () => ({ ...form(), connection: { method: 'ftp', ssh: {} } }), 400],
  ['groups that are no list', () => form({}, { groups: 'tous' }), 422],
  ['an id that is none', () => form({ server_id: "' or 1=1 --" }), 400],
  ['two proofs', () => form({ auth: { password: 'x', privateKeyPem: 'y' } }), 400],
  ['a foreign server', () => form({ server_id: foreign.server }), 404],
  ['a foreign group', () => form({}, { groups: [foreign.group] }), 400],
];

describe('a form with', () => {
  it.each(refused)('%s is refused, and nothing changes', async (_, make, status) => {
    const before = await kept();
    expect((await ask('POST', '/sites', make())).status).toBe(status);
    expect((await ask('PUT', `/sites/${site}`, make())).status).toBe(status);
    expect(await kept()).toEqual(before);
  });

  it.each(['/srv/été 2026/🚀 $(id)', '/srv/l\'île "x"', '/-rf/--exec', '/srv//www/'])(
    'the legal path %s is kept',
    async (path) => {
      const { status, body } = await ask('POST', '/sites', form({ wp_path: path }));
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
  ])('%s is answered', async (query, status) => {
    expect((await ask('GET', `/sites?${query}`)).status).toBe(status);
  });
});

it('is made once under a key, even with a secret that is sealed anew each time', async () => {
  const key = { 'idempotency-key': 'site-1' };
  const body = form({ auth: { password: 'secret' } });
  const [one, two] = await Promise.all([ask('POST', '/sites', body, key), ask('POST', '/sites', body, key)]);
  expect([one.status, two.body['id']]).toEqual([201, one.body['id']]);
  expect((await ask('POST', '/sites', form({ auth: { password: 'autre' } }), key)).status).toBe(422);
});

it('is told in the feed and the audit, never with its secret', async () => {
  const { body } = await ask('POST', '/sites', form({ auth: { password: 'tres-secret-42' } }, { name: 'Conté' }));
  await ask('PUT', `/sites/${String(body['id'])}`, { name: 'Raconté' });
  await ask('DELETE', `/sites/${String(body['id'])}`);
  const items = (await ask('GET', '/dashboard/activity?limit=3')).body['items'];
  expect(items).toMatchObject([
    { type: 'site_delete', site_name: 'Raconté', site_id: body['id'], server_id: null },
    { type: 'site_edit', site_name: 'Raconté', details: { name: 'Raconté' } },
    { type: 'site_create', site_name: 'Conté', details: { url: 'https://exemple.fr' } },
  ]);
  const tables = await dumpTables(product.database);
  expect([...tables].filter(([, text]) => text.includes('tres-secret-42'))).toEqual([]);
  expect(tables.get('sites.audit_lines') ?? [...tables.keys()].join()).toMatch(/site_delete/);
});
