import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addServer, aServer, readStatusOf } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { type Answer, TestProduct } from '@vigie/testing/product';
import { hostPassword, SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let host: SshHost;
let root: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  host = await SshHost.start();
  root = await product.login();
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
});

const somewhere = { port: 22 };
const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, token = root) =>
  product.request(method, `/api/servers${path}`, { token, headers, ...(body !== undefined && { body }) });
const create = (fields: Record<string, unknown> = {}, at: Pick<SshHost, 'port'> = host) =>
  addServer(product, root, aServer(at, fields));
const rowOf = async (id: string) =>
  (await product.database.query('select * from sites.servers where id = $1', [id])).rows[0];
const detail = ({ body }: Answer) => body['detail'] as Record<string, unknown>;
const statesOf = (steps: unknown) =>
  Object.fromEntries((steps as { step: string; state: string }[]).map(({ step, state }) => [step, state]));

describe('a server', () => {
  it('is created with the submitted fields and defaults', async () => {
    const { body } = await addServer(product, root, {
      name: ' Web É ',
      host: 'WEB.exemple.FR',
      port: '',
      auth: { password: 'très secret' },
    });
    expect(body).toMatchObject({
      name: 'Web É',
      host: 'web.exemple.fr',
      port: 22,
      user: 'root',
      provider: null,
      type: 'prod',
      groups: [],
      has_password: true,
      has_key: false,
      host_key: null,
      sites_count: 0,
      status: { online: null, refreshing: false },
    });
  });

  it('has a public key of its own, whatever its credential', async () => {
    for (const auth of [undefined, null, { password: 'x' }]) {
      const { id } = await create({ auth }, somewhere);
      const { body } = await ask('GET', `/${id}/pubkey`);
      expect(body['pubkey']).toMatch(/^ssh-ed25519 [A-Za-z0-9+/]{68} vigie$/);
    }
  });

  it('shows the public half of a submitted key', async () => {
    const { id, body } = await create({ auth: { privateKeyPem: host.privateKey } });
    expect(body).toMatchObject({ has_password: false, has_key: true });
    const [type, key] = readFileSync(`${host.home}/.ssh/authorized_keys`, 'utf8').split(' ');
    expect((await ask('GET', `/${id}/pubkey`)).body).toEqual({ pubkey: `${type} ${key} vigie` });
  });

  it.each([
    [{ name: undefined }, 422],
    [{ host: '-oProxyCommand=id' }, 400],
    [{ groups: ['019a8f3c-0000-7000-8000-000000000001'] }, 400],
    [{ groups: 'x' }, 422],
    [{ auth: { privateKeyPem: 'not a key' } }, 400],
    [{ auth: 'x' }, 422],
  ])('is refused with %j', async (fields, status) => {
    const before = await product.database.query('select count(*) from sites.servers');
    const answer = await ask('POST', '', aServer(somewhere, fields));
    expect([answer.status, typeof answer.body['detail']]).toEqual([status, 'string']);
    expect((await product.database.query('select count(*) from sites.servers')).rows).toEqual(before.rows);
  });

  it('is created once under one idempotency key, although its secret is sealed anew each time', async () => {
    const headers = { 'idempotency-key': 'server-1' };
    const [one, two] = await Promise.all([
      ask('POST', '', aServer(host), headers),
      ask('POST', '', aServer(host), headers),
    ]);
    expect([one.status, two.status, two.body['id']]).toEqual([201, 201, one.body['id']]);
    const other = await ask('POST', '', aServer(host, { auth: { password: 'another' } }), headers);
    expect(other.status).toBe(422);
  });

  it('keeps fields that an edit does not name, including its secret', async () => {
    const { id } = await create({ provider: 'OVH' });
    const { credential } = await rowOf(id);
    const edited = await ask('PUT', `/${id}`, { name: 'neuf', auth: { password: '' } });
    expect(edited.body).toMatchObject({ name: 'neuf', provider: 'OVH', port: host.port, has_password: true });
    expect((await ask('PUT', `/${id}`, { provider: null })).body['provider']).toBeNull();
    expect((await rowOf(id)).credential).toEqual(credential);
  });

  it('requires its password again when it moves, and drops the pinned key', async () => {
    const { id } = await create();
    expect((await ask('POST', `/${id}/test`)).status).toBe(200);
    const refused = await ask('PUT', `/${id}`, { host: 'localhost' });
    expect([refused.status, refused.body['detail']]).toEqual([400, expect.stringContaining('mot de passe')]);
    const movedAnswer = await ask('PUT', `/${id}`, { host: 'localhost', auth: { password: hostPassword } });
    expect(movedAnswer.body).toMatchObject({ host: 'localhost', host_key: null, status: { online: null } });
    expect((await ask('POST', `/${id}/test`)).status).toBe(200);
  });

  it('keeps its key when it moves', async () => {
    const { id } = await create({ auth: { privateKeyPem: host.privateKey } });
    const before = (await ask('GET', `/${id}/pubkey`)).text;
    expect((await ask('PUT', `/${id}`, { host: 'localhost' })).status).toBe(200);
    expect((await ask('GET', `/${id}/pubkey`)).text).toBe(before);
    expect((await ask('POST', `/${id}/test`)).body).toMatchObject({ method: 'key' });
  });

  it('switches from its password to the generated key', async () => {
    const { id } = await create();
    const pubkey = String((await ask('GET', `/${id}/pubkey`)).body['pubkey']);
    expect((await ask('PUT', `/${id}`, { auth: null })).body).toMatchObject({ has_password: false, has_key: true });
    expect((await ask('GET', `/${id}/pubkey`)).body['pubkey']).toBe(pubkey);
    expect((await rowOf(id)).method).toBe('key');
  });
});

describe('a server that sites use', () => {
  it('is deleted only by force, and its sites stay', async () => {
    const { id } = await create({}, somewhere);
    const site = await product.database.query(
      `insert into sites.sites (id, owner_id, name, url, server_id)
       select gen_random_uuid(), owner_id, 'Boulangerie', 'https://b.fr', id from sites.servers, generate_series(1, 21)
       where id = $1 returning id`,
      [id],
    );
    const names = Array.from({ length: 20 }, () => 'Boulangerie');
    const refused = await ask('DELETE', `/${id}`);
    expect([refused.status, detail(refused)]).toEqual([
      409,
      {
        message: `Des sites utilisent ce serveur\u00a0: ${names.join(', ')} et 1\u00a0autre.`,
        code: 'sites_attached',
        sites: names.map((name) => ({ id: expect.any(String), name })),
        total: 21,
      },
    ]);
    expect((await ask('GET', `/${id}`)).body['sites_count']).toBe(21);
    expect((await ask('DELETE', `/${id}?force=1`)).status).toBe(204);
    for (const missingId of [id, 'nope', '11111111-1111-1111-1111-111111111111'])
      expect((await ask('GET', `/${missingId}`)).status).toBe(404);
    const siteRow = await product.database.query('select server_id from sites.sites where id = $1', [site.rows[0].id]);
    expect(siteRow.rows).toEqual([{ server_id: null }]);
  });
});

describe('the list', () => {
  it('is an array in French order, searched and paged, with its total in a header', async () => {
    const { token } = await addUser(product, root);
    for (const name of ['web10', 'Étang', 'web2', 'Fjord', 'etage']) {
      await addServer(product, token, {
        name,
        host: `${name.length}.exemple.fr`,
        provider: name === 'Fjord' ? 'Hetzner' : null,
      });
    }
    const list = async (query: string) => {
      const answer = await ask('GET', query, undefined, {}, token);
      const names = (JSON.parse(answer.text) as { name: string }[]).map(({ name }) => name);
      return [answer.headers.get('x-total-count'), names];
    };
    expect(await list('')).toEqual(['5', ['etage', 'Étang', 'Fjord', 'web2', 'web10']]);
    expect(await list('?sort=-name&limit=2&offset=1')).toEqual(['5', ['web2', 'Fjord']]);
    expect(await list('?q=%C3%89TANG')).toEqual(['1', ['Étang']]);
    expect(await list('?q=hetz')).toEqual(['1', ['Fjord']]);
    expect(await list('?q=%25')).toEqual(['0', []]);
    expect((await list('?sort=provider'))[1]?.[0]).toBe('Fjord');
    expect(await list('?group_id=019a8f3c-0000-7000-8000-000000000001')).toEqual(['0', []]);
  });

  it('can be limited to one owner, among those that the caller may see', async () => {
    const [one, other] = [await addUser(product, root), await addUser(product, root)];
    for (const { token } of [one, one, other]) await addServer(product, token, { name: 'web', host: 'web.exemple.fr' });
    const count = async (owner: string, token: string, headers = {}) => {
      const answer = await ask('GET', `?limit=1&owner_id=${owner}`, undefined, headers, token);
      return answer.headers.get('x-total-count');
    };
    const adminMode = { 'x-admin-mode': '1' };
    expect([await count(one.id, root, adminMode), await count(other.id, root, adminMode)]).toEqual(['2', '1']);
    expect([await count(one.id, one.token), await count(other.id, one.token)]).toEqual(['2', '0']);
  });

  it.each(['?limit=0', '?limit=501', '?limit=x', '?sort=password', '?offset=-1', '?group_id=x', '?q=a&q=b'])(
    'refuses %s',
    async (query) => {
      expect([400, 422]).toContain((await ask('GET', query)).status);
    },
  );
});

describe('a test', () => {
  it('reports each step, and pins the key', async () => {
    const { id } = await create();
    const { status, body } = await ask('POST', `/${id}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      method: 'password',
      host_key: host.hostKey,
      stdout: expect.stringMatching(/^Linux /),
      kills_children: false,
    });
    expect(statesOf(body['steps'])).toMatchObject({
      resolve: 'ok',
      connect: 'ok',
      host_key: 'ok',
      authenticate: 'ok',
      shell: 'ok',
      files: 'ok',
      detached: 'ok',
      clock: 'ok',
    });
    expect((await ask('GET', `/${id}`)).body['host_key']).toBe(host.hostKey);
  });

  it('names the failed step and its remedy, and skips the rest', async () => {
    const { id } = await create({ auth: { privateKeyPem: host.otherKey } });
    const answer = await ask('POST', `/${id}/test`);
    expect(answer.status).toBe(502);
    expect(detail(answer)).toMatchObject({
      code: 'authentication',
      message: expect.any(String),
      remedy: expect.any(String),
    });
    expect(statesOf(detail(answer)['steps'])).toMatchObject({
      host_key: 'ok',
      authenticate: 'failed',
      shell: 'skipped',
      clock: 'skipped',
    });
    expect((await rowOf(id)).host_key).toBeNull();
  });

  it('distinguishes a closed port from an unknown host name', async () => {
    const closed = await create({}, { port: 9 });
    const answer = await ask('POST', `/${closed.id}/test`);
    expect([answer.status, detail(answer)['code'], statesOf(detail(answer)['steps'])['connect']]).toEqual([
      502,
      'refused',
      'failed',
    ]);
    const nameless = await create({ host: 'nulle-part.invalid' });
    expect(detail(await ask('POST', `/${nameless.id}/test`))['code']).toBe('unresolved');
  });

  it('leaves nothing behind on the host', async () => {
    const { id } = await create();
    expect((await ask('POST', `/${id}/test`)).status).toBe(200);
    await until(() => host.processes().length === 1);
    expect(readdirSync(host.home)).toEqual(['.ssh']);
  });
});

describe('a status', () => {
  const statusOf = (id: string, query = '') => readStatusOf(product, root, id, query);

  it('shows the uptime of a server', async () => {
    const { id } = await create();
    const status = await statusOf(id);
    expect(status).toMatchObject({ online: true, method: 'ssh', error: null, refreshing: false });
    const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    expect(Math.abs(Number(status['uptime_seconds']) - uptime)).toBeLessThan(30);
    expect(status['uptime']).toMatch(/\d+\u00a0(?:j|h|min)/);
    expect(Date.parse(String(status['since']))).toBeLessThan(Date.now());
    expect((await rowOf(id)).host_key).toBe(host.hostKey);
  });

  it('is probed once for all requests within seconds', async () => {
    const { id } = await create();
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => statusOf(id)));
    expect(others.map((each) => each['checked_at'])).toEqual(Array(4).fill(first?.['checked_at']));
    expect((await statusOf(id, '?fresh=1'))['checked_at']).not.toBe(first?.['checked_at']);
  });

  it('shows a host that is down', async () => {
    const { id } = await create({}, { port: 9 });
    expect(await statusOf(id)).toMatchObject({
      online: false,
      method: null,
      uptime: null,
      error: expect.stringContaining('refuse'),
    });
  });

  it('does not present a refused credential again without a test', async () => {
    const ownHost = await SshHost.start();
    const { id } = await create({ auth: { password: 'wrong' } }, ownHost);
    expect(await statusOf(id)).toMatchObject({
      online: true,
      method: 'tcp',
      error: expect.stringContaining('mot de passe'),
    });
    // The host answers before it logs the attempt.
    await until(() => ownHost.log.includes('Failed password'));
    for (let n = 0; n < 3; n += 1)
      expect(await statusOf(id, '?fresh=1')).toMatchObject({ online: true, method: 'tcp' });
    expect(ownHost.log.split('Failed password').length).toBe(2);
    await ask('PUT', `/${id}`, { auth: { password: hostPassword } });
    expect(await statusOf(id, '?fresh=1')).toMatchObject({ method: 'ssh', error: null });
    await ownHost.stop();
  });

  it('answers at once when a host hangs, and shows the result later', async () => {
    const { id } = await create();
    host.signal('SIGSTOP');
    expect((await ask('GET', `/${id}/status`)).body).toMatchObject({ online: null, refreshing: true });
    host.signal('SIGCONT');
    await until(async () => (await statusOf(id))['online'] === true);
  });
});

describe('the outbound rule', () => {
  it('keeps clients from private addresses, according to the server’s owner', async () => {
    const client = await addUser(product, root);
    const { id } = await addServer(product, client.token, aServer(host));
    const asClient = (path: string) => ask('POST', path, undefined, {}, client.token);
    const refused = await asClient(`/${id}/test`);
    expect([refused.status, detail(refused)['code']]).toEqual([400, 'forbidden']);
    expect(detail(refused)['message']).toContain('Adresse non autorisée');
    await product.request('DELETE', `/api/admin/users/${client.id}`, { token: root });
    await until(async () => (await ask('GET', `/${id}`)).status === 200);
    expect((await ask('POST', `/${id}/test`)).status).toBe(200);
  });

  it('never allows the metadata address of a cloud', async () => {
    const { id } = await create({ host: '169.254.169.254' });
    expect(detail(await ask('POST', `/${id}/test`))['code']).toBe('forbidden');
  });
});

it('records in the feed and the audit who did what', async () => {
  const { id } = await create({ name: 'journal' });
  await ask('PUT', `/${id}`, { name: 'journal 2' });
  await ask('DELETE', `/${id}`);
  const { body } = await product.request('GET', '/api/dashboard/activity?limit=50', { token: root });
  const lines = (body['items'] as Record<string, unknown>[]).filter((item) => item['server_id'] === id);
  expect(lines.map(({ type, server_name: name }) => [type, name])).toEqual([
    ['server_delete', 'journal 2'],
    ['server_edit', 'journal 2'],
    ['server_create', 'journal'],
  ]);
  expect(lines[0]?.['actor_name']).toEqual(expect.any(String));
  const audit = await product.database.query(
    'select action, actor_name, details from sites.audit_lines where target_id = $1 order by id',
    [id],
  );
  expect(audit.rows.map(({ action, actor_name: actor }) => [action, actor])).toEqual([
    ['server_create', 'admin@localhost'],
    ['server_edit', 'admin@localhost'],
    ['server_delete', 'admin@localhost'],
  ]);
});
