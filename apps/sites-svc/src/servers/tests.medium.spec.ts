import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyTables } from '@vigie/testing/database';
import { addServer, aServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { SshHost, hostUnavailableReason } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

type Line = { server_name: string; state: string };

let product: TestProduct;
let host: SshHost;
let root: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  root = await product.login();
  if (!hostUnavailableReason()) host = await SshHost.start();
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
});
beforeEach(() => emptyTables(product.database, 'sites.jobs', 'sites.servers'));

const testAll = (body: object, { token = root, key = '' } = {}) =>
  product.request('POST', '/api/servers/test', { token, body, headers: key ? { 'idempotency-key': key } : {} });
const read = async (id: string, token = root) => (await product.request('GET', `/api/jobs/${id}`, { token })).body;
const countJobs = async () => (await product.database.query('select 1 from sites.jobs')).rowCount;

async function untilOver(id: string) {
  await until(async () => !['queued', 'running'].includes(String((await read(id))['state'])));
  return read(id);
}

async function linesOf(id: string): Promise<Line[]> {
  const { body } = await product.request('GET', `/api/jobs?batch_id=${id}`, { token: root });
  return body['items'] as Line[];
}

// These tests need an SSH server on this machine.
const withHosts = hostUnavailableReason() ? describe.skip : describe;
withHosts('a test of many servers', () => {
  it('has a job for each server, and is retried with its failed jobs', async () => {
    const wrong = { password: 'un autre' };
    await addServer(product, root, aServer(host, { name: 'a' }));
    await addServer(product, root, aServer(host, { name: 'b' }));
    const { id } = await addServer(product, root, aServer(host, { name: 'c', auth: wrong }));
    const { status, headers, body } = await testAll({});
    const batch = String(body['job_id']);
    expect([status, headers.get('location')]).toEqual([202, `/api/jobs/${batch}`]);
    expect(await untilOver(batch)).toMatchObject({ state: 'failed', counts: { total: 3, succeeded: 2, failed: 1 } });
    expect(await linesOf(batch)).toMatchObject([
      { server_name: 'c', state: 'failed' },
      { server_name: 'a', state: 'succeeded' },
      { server_name: 'b', state: 'succeeded' },
    ]);
    const { auth } = aServer(host);
    await product.request('PUT', `/api/servers/${id}`, { token: root, body: { auth } });
    await product.database.query("update sites.servers set refusal = 'Refusé.' where id = $1", [id]);
    const retried = await product.request('POST', `/api/jobs/${batch}/retry`, { token: root });
    expect(await untilOver(String(retried.body['id']))).toMatchObject({ state: 'succeeded', counts: { total: 1 } });
    const { rows } = await product.database.query('select refusal, host_key from sites.servers where id = $1', [id]);
    expect(rows).toEqual([{ refusal: null, host_key: host.hostKey }]);
  });
});

withHosts('the statuses of many servers', () => {
  it('are read in one request, for the caller’s own servers', async () => {
    const up = await addServer(product, root, aServer(host, { name: 'halte-1' }));
    const down = await addServer(product, root, aServer({ port: 9 }, { name: 'halte-2' }));
    const ids = [up.id, down.id, randomUUID()].join(',');
    const statuses = async (query = '', token = root) => {
      let items: Record<string, unknown>[] = [];
      await until(async () => {
        const { body } = await product.request('GET', `/api/servers/statuses?ids=${ids}${query}`, { token });
        items = body as unknown as Record<string, unknown>[];
        return items.every(({ refreshing }) => refreshing === false);
      });
      return new Map(items.map((status) => [status['id'], status]));
    };
    const current = await statuses();
    expect(current.size).toBe(2);
    expect(current.get(up.id)).toMatchObject({ online: true, method: 'ssh' });
    expect(current.get(down.id)).toMatchObject({ online: false, error: expect.stringContaining('refuse') });
    expect(await statuses()).toEqual(current);
    // The list counts servers that are down on all pages.
    const { headers } = await product.request('GET', '/api/servers?q=halte&limit=1', { token: root });
    expect(['total', 'offline'].map((name) => headers.get(`x-${name}-count`))).toEqual(['2', '1']);
    for (const [id, { checked_at: at }] of await statuses('&fresh=1')) {
      expect(at).not.toBe(current.get(id)?.['checked_at']);
    }
    const { token } = await addUser(product, root);
    expect((await statuses('', token)).size).toBe(0);
  });
});

describe('the list of servers', () => {
  it('begins with servers that are down unless an order is chosen', async () => {
    const { id } = await addServer(product, root, aServer({ port: 2 }));
    // Inserted directly, so that no sweep probes them.
    await product.database.query(
      `insert into sites.servers (id, owner_id, name, host, port, login, provider, type, credential, method, public_key, status)
       select gen_random_uuid(), owner_id, seen.name, host, port, login, provider, type, credential, method, public_key,
         jsonb_build_object('online', online, 'uptime_seconds', null, 'since', null, 'method', null, 'error', null,
           'checked_at', '2026-11-23T12:00:00.000Z')
       from sites.servers, (values ('a', true), ('b', false), ('c', null), ('d', false), ('e', true)) seen(name, online)`,
    );
    await product.request('DELETE', `/api/servers/${id}`, { token: root });
    const names = async (query: string, headers: Record<string, string> = {}) => {
      const { body } = await product.request('GET', `/api/servers?${query}`, { token: root, headers });
      return (body as unknown as { name: string }[]).map(({ name }) => name).join('');
    };
    expect(await names('limit=5')).toBe('bdace');
    expect(await names('limit=5', { 'x-admin-mode': '1' })).toBe('bdace');
    // A complete list is read in pages, between which a server may go down.
    expect(await names('')).toBe('abcde');
    expect([await names('limit=3'), await names('limit=3&offset=3')]).toEqual(['bda', 'ce']);
    expect([await names('sort=name'), await names('sort=-name')]).toEqual(['abcde', 'edcba']);
  });
});

describe('requested tests', () => {
  // The lock keeps the dispatcher from queueing jobs.
  beforeAll(() => product.database.query("select pg_advisory_lock(hashtext('sites.dispatch'))"));

  it('are refused as a whole unless all servers are the caller’s', async () => {
    const { token } = await addUser(product, root);
    expect(await testAll({}, { token })).toMatchObject({ status: 400 });
    const { id: foreign } = await addServer(product, root, aServer({ port: 2 }, { name: 'autrui' }));
    const { id: own } = await addServer(product, token, aServer({ port: 2 }, { name: 'mien' }));
    expect(await testAll({ ids: [own, foreign] }, { token })).toMatchObject({ status: 404 });
    expect(await testAll({ ids: [] }, { token })).toMatchObject({ status: 400 });
    expect(await countJobs()).toBe(0);
    const { body } = await testAll({}, { token });
    expect(await read(String(body['job_id']), token)).toMatchObject({ counts: { total: 1 } });
    expect((await product.request('GET', `/api/jobs/${String(body['job_id'])}`, { token: root })).status).toBe(404);
  });

  it('are created once under an idempotency key, and shared while they are open', async () => {
    const { id } = await addServer(product, root, aServer({ port: 2 }));
    const jobOf = async (key: string, body: object = {}) => (await testAll(body, { key })).body['job_id'];
    const first = await jobOf('cle-de-lot-1');
    expect([await jobOf('cle-de-lot-1'), await jobOf(''), await jobOf('cle-de-lot-2')]).toEqual([first, first, first]);
    expect(await testAll({ ids: [id] }, { key: 'cle-de-lot-1' })).toMatchObject({ status: 422 });
    const { id: other } = await addServer(product, root, aServer({ port: 2 }, { name: 'autre' }));
    const both = await jobOf('', { ids: [id, other] });
    expect(both).not.toBe(first);
    await product.database.query(
      "update sites.jobs set state = 'succeeded', finished_at = now() where (batch_id, server_id) = ($1, $2)",
      [both, other],
    );
    expect(await jobOf('', { ids: [other, id] })).toBe(both);
    await product.request('POST', `/api/jobs/${String(first)}/cancel`, { token: root });
    expect(await jobOf('cle-de-lot-1')).toBe(first);
    expect(await jobOf('', { ids: [id] })).not.toBe(first);
  });

  it('of one server are created once under an idempotency key', async () => {
    const { id } = await addServer(product, root, aServer({ port: 2 }));
    const ask = async (key: string) =>
      String(
        (
          await product.request('POST', `/api/servers/${id}/test`, {
            token: root,
            headers: { 'idempotency-key': key, prefer: 'respond-async' },
          })
        ).body['job_id'],
      );
    const [first, second] = await Promise.all([ask('cle-de-test-1'), ask('cle-de-test-1')]);
    expect(second).toBe(first);
    await product.request('POST', `/api/jobs/${first}/cancel`, { token: root });
    expect(await ask('cle-de-test-1')).toBe(first);
    expect(await ask('cle-de-test-2')).not.toBe(first);
    expect(await countJobs()).toBe(2);
  });
});
