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
const lookedAt = (id: string, token = root) => readStatusOf(product, token, id, '?fresh=1');
const detailOf = ({ body }: Answer) => Object(body['detail']);
const query = (sql: string, ...values: unknown[]) => product.database.query(sql, values);
const ownersOf = async (...ids: string[]) =>
  (await query('select owner_id from sites.servers where id = any($1)', ids)).rows.map(({ owner_id: id }) => id);
const sessions = () => host.processes().length - 1;

/** Its `mktemp` has made a folder and waits for a word of ours. */
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
const hasBegun = ({ home }: SshHost) => existsSync(join(home, 'made'));
const letGoOn = ({ home }: SshHost) => writeFileSync(join(home, 'go'), '');

it('is looked at where somebody asks for it, though nobody looks by itself, and is awaited until it was', async () => {
  const id = await create();
  const health = async () => (await ask('GET', `/health?fresh=1&ids=${id}`)).body;
  expect(await health()).toMatchObject({ refreshing: true, items: [{ checked_at: null }] });
  await until(async () => (await health())['refreshing'] === false);
  expect(await health()).toMatchObject({ items: [{ status: 'up' }] });
  await ask('DELETE', `/${id}`);
  await until(() => sessions() === 0);
});

describe('a connection that is open', () => {
  it('is of no more use to an administrator who is one no longer', async () => {
    const { id: person, token, who } = await addUser(product, root, 'admin');
    const id = await create({}, token);
    expect(await lookedAt(id, token)).toMatchObject({ method: 'ssh' });
    await product.request('PUT', `/api/admin/users/${person}`, { token: root, body: { role: 'client' } });
    await until(
      async () =>
        (await query('select is_admin from sites.owners where user_id = $1', person)).rows[0]?.is_admin === false,
    );
    const client = await product.login(who);
    const closed = { online: false, method: null, error: expect.stringContaining('Adresse non autorisée') };
    expect(await lookedAt(id, client)).toMatchObject(closed);
    expect(detailOf(await ask('POST', `/${id}/test`, undefined, client)).code).toBe('forbidden');
    await until(() => sessions() === 0);
  });

  it('is of no more use once another key is pinned', async () => {
    const id = await create();
    expect(await lookedAt(id)).toMatchObject({ method: 'ssh', error: null });
    await query('update sites.servers set host_key = $2 where id = $1', id, `SHA256:${'A'.repeat(43)}`);
    expect(await lookedAt(id)).toMatchObject({
      method: 'tcp',
      error: expect.stringContaining('La clé du serveur a changé'),
    });
    await until(() => sessions() === 0);
  });

  it('ends on every agent when its server is deleted', async () => {
    const second = await product.add('ssh-agent');
    const id = await create();
    // Until both have one.
    while (sessions() < 2) await fresh(id);
    expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    await until(() => sessions() === 0);
    await second.kill();
  });
});

describe('a test that races', () => {
  it('with another first meeting succeeds with the same key only', async () => {
    const slow = await startSlowHost();
    const { id } = await addServer(product, root, aServer(slow, { user: 'bash' }));
    const test = ask('POST', `/${id}/test`);
    await until(() => hasBegun(slow));
    await query('update sites.servers set host_key = $2 where id = $1', id, `SHA256:${'A'.repeat(43)}`);
    letGoOn(slow);
    const answer = await test;
    expect([answer.status, detailOf(answer).code, detailOf(answer).actual]).toEqual([
      409,
      'host_key_changed',
      slow.hostKey,
    ]);
    await slow.stop();
  });

  it('with edits and a deletion ends without a failure of ours, and leaves what works or nothing', async () => {
    const [kept, gone] = [await create(), await create()];
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
    const ends = await Promise.all([...race(kept), ...race(gone), ask('DELETE', `/${gone}`)]);
    const statuses = ends.flatMap(({ status }) => (typeof status === 'number' ? status : []));
    expect(statuses.filter((status) => ![200, 204, 404, 409].includes(status))).toEqual([]);
    expect((await ask('POST', `/${kept}/test`)).status).toBe(200);
    expect(await ownersOf(gone)).toEqual([]);
  });
});

describe('what a deleted user had', () => {
  it('goes to its heir, what its session made meanwhile too', async () => {
    const { id: person, token } = await addUser(product, root);
    const name = `dernier de ${person}`;
    const made = Array.from({ length: 12 }, () => ask('POST', '', { name, host: 'web.exemple.fr' }, token));
    await product.request('DELETE', `/api/admin/users/${person}`, { token: root });
    const statuses = (await Promise.all(made)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 401)).toEqual([]);
    await until(
      async () =>
        (await query('select 1 from sites.owners where user_id = $1 and heir_id is not null', person)).rowCount === 1,
    );
    const owners = (await query('select owner_id from sites.servers where name = $1', name)).rows;
    expect(owners).toHaveLength(statuses.filter((status) => status === 201).length);
    expect(owners.filter(({ owner_id: owner }) => owner === person)).toEqual([]);
  });

  it('goes to the heir of its heir, where that one was gone first', async () => {
    const [first, second] = [await addUser(product, root), await addUser(product, root, 'admin')];
    const id = await create({ host: 'web.exemple.fr' }, first.token);
    const { body } = await product.request('GET', '/api/auth/me', { token: root });
    const tell = (from: string, to: unknown) =>
      query(
        "insert into auth.outbox (id, fact) values (gen_random_uuid(), jsonb_build_object('kind', 'user_deleted', 'user_id', $1::text, 'heir_id', $2::text))",
        from,
        to,
      );
    await tell(second.id, body['id']);
    await tell(first.id, second.id);
    await until(async () => (await ownersOf(id))[0] !== first.id);
    expect(await ownersOf(id)).toEqual([body['id']]);
  });
});

describe('a process that dies in the middle of a test', () => {
  const leftIn = ({ home }: SshHost) => readdirSync(home).filter((name) => name.startsWith('.vigie-'));

  const jobOf = async (path: string) => (await product.request('GET', path, { token: root })).body;

  it.each(['ssh-agent', 'sites-svc'] as const)('%s: the test ends, and nothing is left on the host', async (app) => {
    const slow = await startSlowHost();
    const { id } = await addServer(product, root, aServer(slow, { user: 'bash' }));
    const { headers } = await ask('POST', `/${id}/test`, undefined, root, { prefer: 'respond-async' });
    const job = headers.get('location') ?? '';
    await until(() => hasBegun(slow));
    expect(leftIn(slow)).toHaveLength(1);
    for (const process of product.of(app)) await process.kill();
    letGoOn(slow);
    await until(() => leftIn(slow).length === 0);
    await product.add(app);
    // As if its lease had run out, where nobody is left to renew it.
    if (app === 'ssh-agent') await query("update sites.jobs set lease_until = now() where state = 'running'");
    await until(async () => (await jobOf(job))['state'] === 'succeeded');
    expect(await jobOf(job)).toMatchObject({ result: { method: 'password' }, attempts: app === 'ssh-agent' ? 2 : 1 });
    await slow.stop();
  });
});

describe('two replicas of sites-svc', () => {
  it('keep one truth about a server', async () => {
    const second = await product.add('sites-svc');
    const mute = await RawServer.start(() => undefined);
    const { id } = await addServer(product, root, aServer(mute));
    const looks = await Promise.all(Array.from({ length: 50 }, () => ask('GET', `/${id}/status?fresh=1`)));
    expect(looks.filter(({ status }) => status !== 200)).toEqual([]);
    // One look each, by one agent that has one attempt under way.
    expect(mute.connections).toBe(1);
    const move = (port: number) => ask('PUT', `/${id}`, { port, auth: { password: 'x' } });
    const statuses = (await Promise.all([2201, 2202, 2203, 2204].map(move))).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect((await query('select version from sites.servers where id = $1', id)).rows).toEqual([
      { version: 1 + statuses.filter((status) => status === 200).length },
    ]);
    // What is stored opens for the address beside it, where nobody listens.
    expect((await ask('POST', `/${id}/test`)).status).toBe(502);
    await mute.close();
    await second.kill();
  });
});

describe('a database that stands still', () => {
  it('makes clear refusals, and nothing twice', async () => {
    const id = await create();
    const key = { 'idempotency-key': 'pendant-la-pause' };
    const form = aServer(host, { name: 'pendant la pause' });
    await query('begin');
    await query('lock table sites.servers in access exclusive mode');
    const asked = [
      ask('GET', ''),
      ask('GET', `/${id}/status?fresh=1`),
      ask('POST', `/${id}/test`),
      ask('PUT', `/${id}`, { name: 'autre' }),
      ask('POST', '', form, root, key),
    ];
    const answers = await Promise.all(asked);
    await query('rollback');
    expect(answers.map(({ status, body }) => `${status} ${typeof body['detail']}`)).toEqual(
      Array(5).fill('503 string'),
    );
    // At once: what was given up holds nothing any more.
    expect((await ask('POST', '', form, root, key)).status).toBe(201);
    expect((await query("select count(*)::int from sites.servers where name = 'pendant la pause'")).rows).toEqual([
      { count: 1 },
    ]);
    expect((await ask('GET', `/${id}`)).body['name']).toBe('web-03');
  });
});
