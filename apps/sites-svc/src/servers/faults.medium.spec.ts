import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawServer } from '@vigie/testing/hostile-ssh';
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

const ask = (method: string, path: string, body?: unknown, token = root, headers = {}) =>
  product.request(method, `/api/servers${path}`, { token, body, headers });
const create = async (fields: Record<string, unknown> = {}, token = root) =>
  (await addServer(product, token, aServer(host, fields))).id;
const fresh = async (id: string) => (await ask('GET', `/${id}/status?fresh=1`)).body;
const readFreshStatus = (id: string, token = root) => readStatusOf(product, token, id, '?fresh=1');
const detailOf = ({ body }: Answer) => Object(body['detail']);
const query = (sql: string, ...values: unknown[]) => product.database.query(sql, values);
const ownersOf = async (...ids: string[]) =>
  (await query('select owner_id from sites.servers where id = any($1)', ids)).rows.map(({ owner_id: id }) => id);
const sessions = () => host.processes().length - 1;

/** A host whose `mktemp` creates a folder and then waits until the test lets it continue. */
async function startSlowHost(): Promise<SshHost> {
  const slow = await SshHost.start({
    home: {
      '.bashrc': 'export PATH=$HOME:$PATH\n',
      mktemp:
        '#!/bin/sh\nmade=$(/usr/bin/mktemp "$@")\n: >"$HOME/made"\nwhile [ ! -e "$HOME/go" ]; do sleep 0.05; done\necho "$made"\n',
    },
  });
  chmodSync(join(slow.home, 'mktemp'), 0o755);
  return slow;
}
const hasStarted = ({ home }: SshHost) => existsSync(join(home, 'made'));
const letContinue = ({ home }: SshHost) => writeFileSync(join(home, 'go'), '');

it('is probed on request although sweeps are disabled, and the request waits for the result', async () => {
  const id = await create();
  const health = async () => (await ask('GET', `/health?fresh=1&ids=${id}`)).body;
  expect(await health()).toMatchObject({ refreshing: true, items: [{ checked_at: null }] });
  await until(async () => (await health())['refreshing'] === false);
  expect(await health()).toMatchObject({ items: [{ status: 'up' }] });
  await ask('DELETE', `/${id}`);
  await until(() => sessions() === 0);
});

describe('an open connection', () => {
  it('is not reused for an administrator who has lost the role', async () => {
    const { id: person, token, credentials } = await addUser(product, root, 'admin');
    const id = await create({}, token);
    expect(await readFreshStatus(id, token)).toMatchObject({ method: 'ssh' });
    await product.request('PUT', `/api/admin/users/${person}`, { token: root, body: { role: 'client' } });
    await until(
      async () =>
        (await query('select is_admin from sites.owners where user_id = $1', person)).rows[0]?.is_admin === false,
    );
    const client = await product.login(credentials);
    const closed = { online: false, method: null, error: expect.stringContaining('Adresse non autorisée') };
    expect(await readFreshStatus(id, client)).toMatchObject(closed);
    expect(detailOf(await ask('POST', `/${id}/test`, undefined, client)).code).toBe('forbidden');
    await until(() => sessions() === 0);
  });

  it('is not reused once another key is pinned', async () => {
    const id = await create();
    expect(await readFreshStatus(id)).toMatchObject({ method: 'ssh', error: null });
    await query('update sites.servers set host_key = $2 where id = $1', id, `SHA256:${'A'.repeat(43)}`);
    expect(await readFreshStatus(id)).toMatchObject({
      method: 'tcp',
      error: expect.stringContaining('La clé du serveur a changé'),
    });
    await until(() => sessions() === 0);
  });

  it('ends on every agent when its server is deleted', async () => {
    const second = await product.add('ssh-agent');
    const id = await create();
    // Waits until both agents have a connection.
    while (sessions() < 2) await fresh(id);
    expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    await until(() => sessions() === 0);
    await second.kill('SIGTERM');
  });
});

describe('a test that races', () => {
  it('with another first connection succeeds with the same key only', async () => {
    const slow = await startSlowHost();
    const { id } = await addServer(product, root, aServer(slow, { user: 'bash' }));
    const test = ask('POST', `/${id}/test`);
    await until(() => hasStarted(slow));
    await query('update sites.servers set host_key = $2 where id = $1', id, `SHA256:${'A'.repeat(43)}`);
    letContinue(slow);
    const answer = await test;
    expect([answer.status, detailOf(answer).code, detailOf(answer).actual]).toEqual([
      409,
      'host_key_changed',
      slow.hostKey,
    ]);
    await slow.stop();
  });

  it('with edits and a deletion never fails with a bug, and leaves a working server or none', async () => {
    const [keptServer, deletedServer] = [await create(), await create()];
    const move = (id: string, name: string) => ask('PUT', `/${id}`, { host: name, auth: { password: hostPassword } });
    const race = (id: string) => [
      ask('POST', `/${id}/test`),
      move(id, 'localhost'),
      fresh(id),
      ask('PUT', `/${id}`, { name: 'neuf' }),
      move(id, '127.0.0.1'),
      ask('POST', `/${id}/trust`, { fingerprint: host.hostKey }),
      ask('POST', `/${id}/test`),
    ];
    const ends = await Promise.all([...race(keptServer), ...race(deletedServer), ask('DELETE', `/${deletedServer}`)]);
    const statuses = ends.flatMap(({ status }) => (typeof status === 'number' ? status : []));
    expect(statuses.filter((status) => ![200, 204, 404, 409].includes(status))).toEqual([]);
    expect((await ask('POST', `/${keptServer}/test`)).status).toBe(200);
    expect(await ownersOf(deletedServer)).toEqual([]);
  });
});

describe('what a deleted user owned', () => {
  it('goes to the heir, including what the user’s session created meanwhile', async () => {
    const { id: person, token } = await addUser(product, root);
    const name = `dernier de ${person}`;
    const creations = Array.from({ length: 12 }, () => ask('POST', '', { name, host: 'web.exemple.fr' }, token));
    await product.request('DELETE', `/api/admin/users/${person}`, { token: root });
    const statuses = (await Promise.all(creations)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 401)).toEqual([]);
    await until(
      async () =>
        (await query('select 1 from sites.owners where user_id = $1 and heir_id is not null', person)).rowCount === 1,
    );
    const owners = (await query('select owner_id from sites.servers where name = $1', name)).rows;
    expect(owners).toHaveLength(statuses.filter((status) => status === 201).length);
    expect(owners.filter(({ owner_id: owner }) => owner === person)).toEqual([]);
  });

  it('goes to the heir’s heir when the heir was deleted first', async () => {
    const [first, second] = [await addUser(product, root), await addUser(product, root, 'admin')];
    const id = await create({ host: 'web.exemple.fr' }, first.token);
    const { body } = await product.request('GET', '/api/auth/me', { token: root });
    const forward = (from: string, to: unknown) =>
      query(
        "insert into auth.outbox (id, fact) values (gen_random_uuid(), jsonb_build_object('kind', 'user_deleted', 'user_id', $1::text, 'heir_id', $2::text))",
        from,
        to,
      );
    await forward(second.id, body['id']);
    await forward(first.id, second.id);
    await until(async () => (await ownersOf(id))[0] !== first.id);
    expect(await ownersOf(id)).toEqual([body['id']]);
  });
});

describe('a process that dies during a test', () => {
  const leftIn = ({ home }: SshHost) => readdirSync(home).filter((name) => name.startsWith('.vigie-'));

  const jobOf = async (path: string) => (await product.request('GET', path, { token: root })).body;

  it.each(['ssh-agent', 'sites-svc'] as const)('%s: the test ends, and nothing is left on the host', async (app) => {
    const slow = await startSlowHost();
    const { id } = await addServer(product, root, aServer(slow, { user: 'bash' }));
    const { headers } = await ask('POST', `/${id}/test`, undefined, root, { prefer: 'respond-async' });
    const jobId = headers.get('location') ?? '';
    await until(() => hasStarted(slow));
    expect(leftIn(slow)).toHaveLength(1);
    for (const process of product.processesOf(app)) await process.kill();
    letContinue(slow);
    await until(() => leftIn(slow).length === 0);
    await product.add(app);
    // Lets the lease expire, since no worker is left to renew it.
    if (app === 'ssh-agent') await query("update sites.jobs set lease_until = now() where state = 'running'");
    await until(async () => (await jobOf(jobId))['state'] === 'succeeded');
    expect(await jobOf(jobId)).toMatchObject({ result: { method: 'password' }, attempts: app === 'ssh-agent' ? 2 : 1 });
    await slow.stop();
  });
});

describe('two replicas of sites-svc', () => {
  it('agree about a server', async () => {
    const second = await product.add('sites-svc');
    const mute = await RawServer.start(() => undefined);
    const { id } = await addServer(product, root, aServer(mute));
    const read = () => product.requestPatiently('GET', `/api/servers/${id}/status?fresh=1`, { token: root });
    const answers = await Promise.all(Array.from({ length: 50 }, read));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    // One probe from each replica, and the agent makes one attempt at a time.
    expect(mute.connections).toBe(1);
    const move = (port: number) => ask('PUT', `/${id}`, { port, auth: { password: 'x' } });
    const statuses = (await Promise.all([2201, 2202, 2203, 2204].map(move))).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect((await query('select version from sites.servers where id = $1', id)).rows).toEqual([
      { version: 1 + statuses.filter((status) => status === 200).length },
    ]);
    // The stored credential opens for the stored address, where no server listens.
    expect((await ask('POST', `/${id}/test`)).status).toBe(502);
    await mute.close();
    // It must leave the bus first: a killed replica would take the next test's first call along.
    await second.kill('SIGTERM');
  });
});

describe('a database that hangs', () => {
  it('causes clear refusals, and no duplicates', async () => {
    const id = await create();
    const key = { 'idempotency-key': 'pendant-la-pause' };
    const form = aServer(host, { name: 'pendant la pause' });
    await query('begin');
    await query('lock table sites.servers in access exclusive mode');
    const requests = [
      ask('GET', ''),
      ask('GET', `/${id}/status?fresh=1`),
      ask('POST', `/${id}/test`),
      ask('PUT', `/${id}`, { name: 'autre' }),
      ask('POST', '', form, root, key),
    ];
    const answers = await Promise.all(requests);
    await query('rollback');
    expect(answers.map(({ status, body }) => `${status} ${typeof body['detail']}`)).toEqual(
      Array(5).fill('503 string'),
    );
    // At once, because aborted requests hold no locks any more.
    expect((await ask('POST', '', form, root, key)).status).toBe(201);
    expect((await query("select count(*)::int from sites.servers where name = 'pendant la pause'")).rows).toEqual([
      { count: 1 },
    ]);
    expect((await ask('GET', `/${id}`)).body['name']).toBe('web-03');
  });
});
