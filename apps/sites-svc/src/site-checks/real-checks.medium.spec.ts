import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Incident } from '@vigie/contracts/incidents';
import { addServer, aServer } from '@vigie/testing/hosts';
import { TestProduct } from '@vigie/testing/product';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import { afterAll, beforeAll, expect, it } from 'vitest';

let code = 200;
const site = createServer((_, response) => void response.writeHead(code).end('<html></html>'));

let product: TestProduct;
let host: SshHost;
let token: string;
beforeAll(async () => {
  await once(site.listen(0, '127.0.0.1'), 'listening');
  host = await SshHost.start();
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'], { VIGIE_VISIT_SECONDS: '1' });
  token = await product.login();
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await host?.stop();
  await product?.stop();
});

const ask = async (method: string, path: string, body?: object) =>
  (await product.request(method, `/api${path}`, { token, ...(body && { body }) })).body;

async function readIncident(): Promise<Incident | undefined> {
  const { items } = (await ask('GET', '/incidents')) as { items: { id: string }[] };
  return items[0] && ((await ask('GET', `/incidents/${items[0].id}`)) as unknown as Incident);
}

it('finds that a site is down, asks its server, and finds that it is back', async () => {
  const server = await addServer(product, token, aServer(host, { name: 'web-03' }));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const connection = { method: 'ssh', ssh: { server_id: server.id, wp_path: '/var/www/vitrine' } };
  const { id } = await ask('POST', '/sites', { name: 'vitrine', url, connection });
  const states = async () => {
    const { beats } = (await ask('GET', `/sites/${String(id)}/uptime?days=1`)) as { beats: { state: string }[] };
    return beats.map(({ state }) => state);
  };
  await until(async () => (await states()).includes('up'));
  code = 503;
  await until(async () => (await readIncident())?.state === 'open');
  await until(async () => (await readIncident())?.verdict !== null);
  expect(await readIncident()).toMatchObject({
    cause: { kind: 'site', id, name: 'vitrine' },
    evidence: { code: 503 },
    verdict: 'fails_there',
    subjects: [{ opinion: { own: { code: 503, error: null }, other: null } }],
  });
  code = 200;
  await until(async () => (await readIncident())?.state === 'resolved');
  expect(await states()).toEqual(expect.arrayContaining(['up', 'down']));
});
