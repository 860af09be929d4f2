import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importCredential, type SshAddress, type SshAuth } from '@vigie/contracts/credentials';
import { lookAtServer } from '@vigie/contracts/server-health';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { TestProduct } from '@vigie/testing/product';
import { hostPassword, SshHost } from '@vigie/testing/sshd';

let product: TestProduct;
let gateway: TestBus;
let sites: TestBus;
let host: SshHost;

beforeAll(async () => {
  product = await TestProduct.start(['ssh-agent']);
  gateway = await connectBus(product.keys.gateway);
  sites = await connectBus(product.keys['sites-svc']);
  host = await SshHost.start();
});
afterAll(async () => {
  for (const each of [gateway, sites]) await each?.close();
  await host?.stop();
  await product?.stop();
});

const here = (): SshAddress => ({ host: '127.0.0.1', port: host.port, user: 'sh' });
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );

/** A server as it is kept: sealed for its address, wherever that leads. */
async function aServer(auth: SshAuth, address = here()) {
  const row = { table: 'servers' as const, id: randomUUID() };
  const sealed = await gateway.sealed(importCredential, 'auth', { auth, ...address });
  const made = await sites.forward(importCredential, { auth: sealed, ...address, row, target: address });
  return { id: row.id, row, address, credential: made.credential };
}
type Lender = Awaited<ReturnType<typeof aServer>>;

describe('a site that its server lends a credential to', () => {
  const elsewhere = (): SshAddress => ({ ...here(), host: 'elsewhere.invalid' });
  const look = ({ credential, row, address }: Lender, claimed = address) =>
    sites.call(lookAtServer, {
      ...here(),
      row: { table: 'sites', id: randomUUID() },
      credential,
      sealed_for: { row, address: claimed },
      version: 1,
      host_key: null,
      allows_private: true,
      tcp_only: false,
    });

  it('logs in with the key of the server', async () => {
    const server = await aServer({ privateKeyPem: host.privateKey }, elsewhere());
    expect(await look(server)).toMatchObject({ method: 'ssh', failure: null });
  });

  it('never gets its password, even for the very same address', async () => {
    for (const address of [elsewhere(), here()]) {
      const seen = await look(await aServer({ password: hostPassword }, address));
      expect([seen.method, seen.failure?.code]).toEqual(['tcp', 'authentication']);
    }
  });

  it('gets nothing where the server is said to be somewhere else', async () => {
    const server = await aServer({ privateKeyPem: host.privateKey }, elsewhere());
    expect(await codeOf(look(server, here()))).toBe('conflict');
  });
});

describe('a secret for a site', () => {
  const auth: SshAuth = { password: hostPassword };
  const usual = { host: 'site.invalid', port: 22, user: 'root' };

  async function importFor(named: Partial<SshAddress> & { server_id?: string }, target: SshAddress, server?: Lender) {
    const sealed = await gateway.sealed(importCredential, 'auth', { auth, ...named });
    const row = { table: 'sites' as const, id: randomUUID() };
    const proof = server && { id: server.id, credential: server.credential, address: server.address };
    return codeOf(sites.forward(importCredential, { auth: sealed, ...named, row, target, server: proof }));
  }

  it('goes where its form left it to the server, as that proves its address', async () => {
    const server = await aServer(auth);
    const named = { server_id: server.id };
    expect(await importFor(named, here(), server)).toBe('answered');
    expect(await importFor({ ...named, user: 'bash' }, { ...here(), user: 'bash' }, server)).toBe('answered');
    expect(await importFor({ ...named, user: 'bash' }, here(), server)).toBe('invalid');
    expect(await importFor(named, { ...here(), host: 'evil.invalid' }, server)).toBe('invalid');
    expect(await importFor(named, here())).toBe('invalid');
  });

  it('goes to no other server than the one that was named', async () => {
    const [named, other] = [await aServer(auth), await aServer(auth)];
    expect(await importFor({ server_id: named.id }, here(), other)).toBe('invalid');
    const lying = { ...named, address: { ...here(), host: 'evil.invalid' } };
    expect(await importFor({ server_id: named.id }, lying.address, lying)).toBe('conflict');
    // As if the form had named that one: the seal says otherwise.
    const sealed = await gateway.sealed(importCredential, 'auth', { auth, server_id: named.id });
    const row = { table: 'sites' as const, id: randomUUID() };
    const swapped = { auth: sealed, server_id: other.id, row, target: here(), server: other };
    expect(await codeOf(sites.forward(importCredential, swapped))).toBe('internal');
  });

  it('goes to the usual port and user where nothing else is said, and to no other', async () => {
    expect(await importFor({ host: usual.host }, usual)).toBe('answered');
    expect(await importFor({ host: usual.host }, { ...usual, port: 2222 })).toBe('invalid');
    expect(await importFor({ host: usual.host }, { ...usual, user: 'sh' })).toBe('invalid');
    expect(await importFor({}, usual)).toBe('invalid');
  });
});
