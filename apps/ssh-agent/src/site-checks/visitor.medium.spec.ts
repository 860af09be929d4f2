import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Input } from '@vigie/contracts/contract';
import { claimVisits, reportVisits } from '@vigie/contracts/site-checks';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { TestAuthority } from '@vigie/testing/certificates';
import { TestProcess } from '@vigie/testing/processes';
import { TestProduct } from '@vigie/testing/product';
import { testServers } from '@vigie/testing/servers';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let sites: TestBus;
let redis: Redis;
let queue: Queue;
let folder: string;
let authority: TestAuthority;
/** A site that answers, one that never does, and an address that tells whether the network works. */
let quick: string;
let silent: string;
let canary: string;
const servers: (Server | TcpServer)[] = [];
const urls = new Map<string, string>();
const reports: Input<typeof reportVisits>[] = [];

async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const aSite = () => createServer((_, response) => void response.end('<html>'));

async function aSecureSite(...certificate: Parameters<TestAuthority['issue']>): Promise<string> {
  const server = createSecureServer(authority.issue(...certificate), (_, response) => void response.end('<html>'));
  return `https://localhost:${await listen(server)}`;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigie-visits-'));
  authority = new TestAuthority(folder, '/O=Autorité de test/CN=Racine');
  quick = `http://127.0.0.1:${await listen(aSite())}`;
  canary = `http://127.0.0.1:${await listen(aSite())}`;
  silent = `http://127.0.0.1:${await listen(createTcpServer((socket) => void socket.on('error', () => undefined)))}`;
  product = await TestProduct.start(['ssh-agent'], {
    NODE_EXTRA_CA_CERTS: authority.file,
    VIGIE_CANARY_URLS: `http://127.0.0.1:1/, ${canary}`,
  });
  sites = await connectBus(product.keys['sites-svc']);
  redis = new Redis(testServers().redisUrl, { maxRetriesPerRequest: null });
  queue = new Queue('site-visits', { connection: redis, prefix: `vigie:${product.keys['sites-svc'].instance}:jobs` });
  await sites.answer(claimVisits, async ({ ids }) => ({
    items: ids.map((id) => ({ id, url: urls.get(id) ?? '', allows_private: true, expected: null })),
  }));
});
afterAll(async () => {
  await queue?.close();
  redis?.disconnect();
  await sites?.close();
  await product?.stop();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Queues a batch of these addresses, and returns the id of each of them. */
async function visitBatch(batch: readonly string[]): Promise<string[]> {
  const ids = batch.map((url) => {
    const id = randomUUID();
    urls.set(id, url);
    return id;
  });
  await queue.add('site-visits', { ids }, { removeOnComplete: true, removeOnFail: true });
  return ids;
}

const allVisits = () => reports.flatMap(({ items }) => items);
const visitsOf = (ids: readonly string[]) => allVisits().filter(({ id }) => ids.includes(id));
async function reportOf(url: string) {
  const [id = ''] = await visitBatch([url]);
  await until(() => visitsOf([id]).length === 1);
  return { network: reports.find(({ items }) => items.some((item) => item.id === id))?.network, ...visitsOf([id])[0] };
}

it('survives a report that nobody takes, and reports the next visits', async () => {
  await visitBatch([quick]);
  const [agent] = product.processesOf('ssh-agent');
  await until(() => agent?.output.includes('visits could not be reported') ?? false);
  await sites.answer(reportVisits, async (report) => {
    reports.push(report);
    return {};
  });
  expect(await reportOf(quick)).toMatchObject({ url: quick, seen: { code: 200 }, certificate: null, network: null });
});

it('reports the certificate of a site even when it is refused, and whether the network works then', async () => {
  const issuer = 'Autorité de test';
  const valid = await aSecureSite('localhost', { end: '20390102030405Z' });
  expect(await reportOf(valid)).toMatchObject({
    seen: { code: 200, error: null },
    certificate: expect.objectContaining({ ends_at: '2039-01-02T03:04:05.000Z', issuer }),
    network: null,
  });
  const refusal = (reason: string) => ({
    code: 0,
    error: `Le certificat du site n’est pas valable\u00a0: ${reason}.`,
  });
  expect(await reportOf(await aSecureSite('localhost', { end: '20210102030405Z' }))).toMatchObject({
    seen: refusal('il a expiré'),
    certificate: expect.objectContaining({ ends_at: '2021-01-02T03:04:05.000Z', issuer }),
    network: 'up',
  });
  expect(await reportOf(await aSecureSite('autre.test'))).toMatchObject({
    seen: refusal('il est celui d’un autre nom'),
    certificate: expect.objectContaining({ ends_at: '2040-01-01T00:00:00.000Z', issuer }),
  });
});

it('reports sites that answer before a thousand others are given up, which do not', async () => {
  const silentBatches = Array.from({ length: 40 }, () => Array<string>(25).fill(silent));
  // One silent site must not hold up the others of its batch either.
  const mixedBatches = Array.from({ length: 20 }, () => [silent, ...Array<string>(24).fill(quick)]);
  const silentIds = (await Promise.all(silentBatches.map(visitBatch))).flat();
  const mixedIds = (await Promise.all(mixedBatches.map(visitBatch))).flat();
  const quickIds = mixedIds.filter((id) => urls.get(id) === quick);
  await until(() => visitsOf(quickIds).length === quickIds.length);
  expect(visitsOf(mixedIds)).toHaveLength(quickIds.length);
  // A batch is consumed only when all its visits have been reported.
  expect(await queue.getActiveCount()).toBeGreaterThanOrEqual(mixedBatches.length);
  await until(() => visitsOf([...silentIds, ...mixedIds]).length === 1_500);
  await until(async () => (await queue.getActiveCount()) === 0);
  expect(Math.max(...reports.map(({ items }) => items.length))).toBeLessThanOrEqual(100);
  // Visits that come together are reported together.
  expect(reports.length).toBeLessThan(100);
});

it('does not start with a well-known address that is none', async () => {
  const agents = ['ftp://exemple.fr/', `${canary}, exemple`].map((VIGIE_CANARY_URLS) =>
    TestProcess.start('ssh-agent/main.js', { ...product.envOf('ssh-agent'), VIGIE_CANARY_URLS }, product.home),
  );
  expect(await Promise.all(agents.map((agent) => agent.exit()))).toEqual([78, 78]);
  for (const { output } of agents) expect(output).toContain('VIGIE_CANARY_URLS: must be addresses');
});
