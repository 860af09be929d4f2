import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addServer, aServer, readStatusOf } from '@vigie/testing/hosts';
import { type Answer, TestProduct } from '@vigie/testing/product';
import { hostPassword, SshHost } from '@vigie/testing/sshd';

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

const strangeKey = `SHA256:${'A'.repeat(43)}`;
const ask = (method: string, path: string, body?: unknown) =>
  product.request(method, `/api/servers${path}`, { token: root, ...(body !== undefined && { body }) });
const create = () => addServer(product, root, aServer(host));
const rowOf = async (id: string) =>
  (await product.database.query('select * from sites.servers where id = $1', [id])).rows[0];
const detail = ({ body }: Answer) => Object(body['detail']);
/** Replaces the host by a new one at its address, which has another key. */
async function reinstallHost(): Promise<void> {
  await host.stop();
  host = await SshHost.start({ port: host.port });
}

describe('another key of a host', () => {
  it('is refused until it is trusted', async () => {
    const { id } = await create();
    await ask('POST', `/${id}/test`);
    const before = host.hostKey;
    await reinstallHost();
    const refused = await ask('POST', `/${id}/test`);
    expect([refused.status, detail(refused)]).toMatchObject([
      409,
      { code: 'host_key_changed', expected: before, actual: host.hostKey },
    ]);
    expect((await ask('POST', `/${id}/trust`, { fingerprint: 'SHA256:x' })).status).toBe(400);
    const trusted = await ask('POST', `/${id}/trust`, { fingerprint: host.hostKey });
    expect(trusted.body).toMatchObject({ id, host_key: host.hostKey });
    expect((await ask('POST', `/${id}/test`)).status).toBe(200);
  });

  it('cannot be trusted unless the host has shown it at this address', async () => {
    const { id } = await create();
    await ask('POST', `/${id}/test`);
    const before = await rowOf(id);
    const trust = (fingerprint: string) => ask('POST', `/${id}/trust`, { fingerprint });
    const refused = await trust(strangeKey);
    expect([refused.status, detail(refused)['code']]).toEqual([409, 'host_key_not_shown']);
    expect(await rowOf(id)).toMatchObject({ host_key: before.host_key, version: before.version });
    await reinstallHost();
    await ask('POST', `/${id}/test`);
    expect((await trust(strangeKey)).status).toBe(409);
    await ask('PUT', `/${id}`, { port: 9, auth: { password: hostPassword } });
    expect((await trust(host.hostKey)).status).toBe(409);
    expect((await rowOf(id)).host_key).toBeNull();
  });

  it('seen by a probe may be trusted until the pinned one is seen again', async () => {
    const { id } = await create();
    const pin = (key: string) =>
      product.database.query('update sites.servers set host_key = $2, version = version + 1 where id = $1', [id, key]);
    await pin(strangeKey);
    await readStatusOf(product, root, id, '?fresh=1');
    expect(await rowOf(id)).toMatchObject({ host_key: strangeKey, shown_key: host.hostKey });
    await pin(host.hostKey);
    await readStatusOf(product, root, id, '?fresh=1');
    expect((await rowOf(id)).shown_key).toBeNull();
    await pin(strangeKey);
    await readStatusOf(product, root, id, '?fresh=1');
    const trusted = await ask('POST', `/${id}/trust`, { fingerprint: host.hostKey });
    expect([trusted.status, trusted.body['host_key']]).toEqual([200, host.hostKey]);
  });
});
