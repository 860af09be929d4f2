import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawServer } from '@vigie/testing/hostile-ssh';
import { addServer, aServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { type Answer, TestProduct } from '@vigie/testing/product';
import { findWrapper } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let root: string;
let client: string;
/** A private host, which only an administrator may reach. */
let inside: RawServer;

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc']);
  await product.add('ssh-agent', await namesOfHosts());
  inside = await RawServer.start((socket) => socket.end('SSH-2.0-inside\r\n'));
  root = await product.login();
  client = (await addUser(product, root)).token;
});
afterAll(async () => {
  await inside?.close();
  await product?.stop();
});

/** Names that resolve to private addresses, for the agent alone. */
async function namesOfHosts(): Promise<Record<string, string>> {
  const file = join(product.home, 'hosts');
  const names = ['127.0.0.1 boucle.vigie.test', '169.254.169.254 nuage.vigie.test', '::1 boucle6.vigie.test'];
  await writeFile(file, `${names.join('\n')}\n`);
  return { LD_PRELOAD: findWrapper() ?? '', NSS_WRAPPER_HOSTS: file };
}

const ask = (method: string, path: string, body?: unknown, token = root) =>
  product.request(method, `/api/servers${path}`, { token, body });
const detailOf = ({ body }: Answer) => body['detail'] as Record<string, unknown>;
const count = async () => (await product.database.query('select count(*)::int from sites.servers')).rows[0].count;

describe('an invalid server form', () => {
  const form = aServer({ port: 22 });
  const bodies: [string, unknown][] = [
    ['an array', [form]],
    ['a string', '"serveur"'],
    ['a number', '1'],
    ['no JSON', '{"name":'],
    ['__proto__', `{"name":"a","host":"b","__proto__":{"allows_private":true}}`],
    ['a poisoned constructor', '{"name":"a","host":"b","constructor":{"prototype":{}}}'],
    ['a NUL', '{"name":"a","host":"b","user":"root\\u0000","fingerprint":"\\u0000"}'],
    ['half a character', '{"name":"a","host":"b","provider":"\\ud800","fingerprint":"\\ud800"}'],
    ['forty levels', `{"name":"a","host":"b","auth":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['300 kB', { ...form, provider: 'x'.repeat(300_000) }],
  ];

  it.each(bodies)('is refused: %s', async (_, body) => {
    const before = await count();
    const paths = [
      ['POST', ''],
      ['PUT', `/${randomUUID()}`],
      ['POST', `/${randomUUID()}/trust`],
      ['POST', `/${randomUUID()}/test`],
    ];
    for (const [method = '', path = ''] of paths) {
      const { status, body: answer } = await ask(method, path, body);
      expect([path, status >= 400 && status < 500, typeof answer['detail']]).toEqual([path, true, 'string']);
    }
    expect(await count()).toBe(before);
  });

  const odd = [[], {}, [['x']], { $gt: '' }, true, -1, 1.5, 1e300];

  it.each(['name', 'host', 'port', 'user', 'provider', 'type', 'groups', 'auth'])(
    'is refused: %s of another type',
    async (field) => {
      const before = await count();
      // An empty list of groups and an empty secret are valid.
      const isInvalid = (value: unknown) =>
        !(field === 'groups' && Array.isArray(value) && value.length === 0) &&
        !(field === 'auth' && JSON.stringify(value) === '{}');
      for (const value of odd.filter(isInvalid)) {
        const { status, body } = await ask('POST', '', { ...form, [field]: value });
        expect([value, [400, 422].includes(status), typeof body['detail']]).toEqual([value, true, 'string']);
      }
      expect(await count()).toBe(before);
    },
  );

  it.each(['password', 'privateKeyPem', 'passphrase'])('is refused: a secret of another type as %s', async (field) => {
    for (const value of [...odd, 'x'.repeat(40_000)]) {
      const auth = { privateKeyPem: 'a key', [field]: value };
      expect([400, 422]).toContain((await ask('POST', '', { ...form, auth })).status);
    }
  });
});

describe('an address', () => {
  it.each([
    '-oProxyCommand=id',
    '--help',
    'web\r\nX-Injected: 1',
    'web\tdeux',
    '`id`',
    'a;id',
    "a'b",
    'a|b',
    'web%00',
    'web%0d%0aX',
    'root@web',
    'ssh://web',
    'web:22',
    '../web',
    'web..fr',
    'web/..',
    '[::1',
    '::1]',
    ':::',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.1',
    '127.0.1',
    '256.1.1.1',
    '017700000001',
    'x'.repeat(300),
    `${'x'.repeat(64)}.fr`,
    'web\u202Efr',
    'web\u0000',
  ])('%j is invalid', async (host) => {
    const before = await count();
    const { status, body } = await ask('POST', '', { name: 'a', host });
    expect([status, typeof body['detail']]).toEqual([400, 'string']);
    expect(await count()).toBe(before);
  });

  it.each([
    '127.0.0.1',
    '127.0.0.1.',
    '127.8.9.10',
    'localhost',
    'LOCALHOST.',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '１２７.０.０.１',
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '100.100.100.200',
    'fd00:ec2::254',
    'boucle.vigie.test',
    'boucle6.vigie.test',
    'nuage.vigie.test',
  ])('%s is closed to clients, in any notation', async (host) => {
    const before = inside.connections;
    const { id } = await addServer(product, client, aServer(inside, { host }));
    const test = await ask('POST', `/${id}/test`, undefined, client);
    expect([test.status, detailOf(test)['code'], inside.connections]).toEqual([400, 'forbidden', before]);
    const status = await ask('GET', `/${id}/status`, undefined, client);
    expect(status.body).toMatchObject({
      online: false,
      method: null,
      error: expect.stringContaining('Adresse non autorisée'),
    });
    expect(inside.connections).toBe(before);
  });

  it.each(['169.254.169.254', '::ffff:169.254.169.254', 'nuage.vigie.test', '0.0.0.0', '100.100.100.200'])(
    '%s is closed to administrators too',
    async (host) => {
      const { id } = await addServer(product, root, aServer(inside, { host }));
      expect(detailOf(await ask('POST', `/${id}/test`))['code']).toBe('forbidden');
    },
  );

  it('is closed to a client who changes it to a private one', async () => {
    const { id } = await addServer(product, client, aServer(inside, { host: 'web.vigie.test', auth: null }));
    expect((await ask('PUT', `/${id}`, { host: 'boucle.vigie.test' }, client)).status).toBe(200);
    // A request with a body waits for the end of the job too.
    expect(detailOf(await ask('POST', `/${id}/test`, {}, client))['code']).toBe('forbidden');
    expect(inside.connections).toBe(0);
  });
});

it('lets one user wait for jobs in half of the slots, and answers 202 to further calls', async () => {
  const agent = product.processesOf('ssh-agent')[0];
  const { id } = await addServer(product, root, aServer(inside));
  await agent?.kill('SIGSTOP');
  // All tests lock the row of one server, so on a slow machine some are refused.
  const test = async (): Promise<number> => {
    const { status } = await ask('POST', `/${id}/test`);
    return status === 503 ? test() : status;
  };
  const answers: number[] = [];
  const tests = Array.from({ length: 70 }, async () => answers.push(await test()));
  await until(() => answers.length >= 6);
  await agent?.kill('SIGCONT');
  await Promise.all(tests);
  // Without the limit all of them would have waited, or none.
  expect(answers.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 202));
  expect(answers.filter((status) => status !== 202).length).toBeGreaterThan(32);
});

describe('an odd query', () => {
  it.each([
    '?q=%00',
    '?q=a&q=b',
    '?limit=1e999',
    '?limit=0x10&limit=2',
    '?offset=NaN',
    '?sort=name;drop',
    '?group_id=%00',
    `?q=${'x'.repeat(201)}`,
    '/%00',
    '/..%2f..%2fadmin',
    "/'or'1'='1",
    '/00000000-0000-0000-0000-00000000000g',
    '/%00/status',
    `/${randomUUID()}/status?fresh=2`,
    `/${randomUUID()}/status?fresh=1&fresh=1`,
  ])('%s is refused', async (path) => {
    const { status, body } = await ask('GET', path);
    expect([400, 404, 422]).toContain(status);
    expect(typeof body['detail']).toBe('string');
  });

  it.each([
    '?__proto__=1',
    '?constructor=1',
    '?q[]=a',
    '?sort[]=name',
    '?q=%25_%5C',
    "?q=';select",
    '?q=%F0%9F%98%80',
    '?q=%ED%A0%80',
  ])('%s is no more than text', async (query) => {
    expect((await ask('GET', query)).status).toBe(200);
  });
});

describe('the list of a thousand servers', () => {
  it('is complete, although it does not fit into one bus message', async () => {
    const { token, id: owner } = await addUser(product, root);
    await product.database.query(
      `insert into sites.servers (id, owner_id, name, host, port, login, provider, type, credential, method, public_key, status)
       select gen_random_uuid(), $1, lpad(n::text, 4, '0') || repeat('é', 90), repeat('h', 60), 22, 'root', repeat('é', 100), 'prod', '{}', 'key', '',
         jsonb_build_object('online', false, 'uptime_seconds', null, 'since', null, 'method', null, 'error', repeat('é', 400), 'checked_at', '2026-01-01T00:00:00.000Z')
       from generate_series(1, 1000) n`,
      [owner],
    );
    const list = async (query: string) =>
      JSON.parse((await ask('GET', query, undefined, token)).text) as { name: string }[];
    const all = await list('');
    expect(all.map(({ name }) => Number(name.slice(0, 4)))).toEqual(Array.from({ length: 1_000 }, (_, n) => n + 1));
    expect((await list('?limit=500&offset=300')).map(({ name }) => name)).toEqual(
      all.slice(300, 800).map(({ name }) => name),
    );
    expect(await list('?offset=1000')).toEqual([]);
  });
});
