import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importCredential, type SshAccess, type SshAddress, type SshAuth } from '@vigie/contracts/credentials';
import { checkAgent } from '@vigie/contracts/health';
import { probeServer } from '@vigie/contracts/server-health';
import { createServer } from '@vigie/contracts/servers';
import type { SealedText } from '@vigie/contracts/text';
import { generateKeys } from '@vigie/service-kit/keys';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { RawServer, cutRelay } from '@vigie/testing/hostile-ssh';
import { TestProcess } from '@vigie/testing/processes';
import { TestProduct } from '@vigie/testing/product';
import { hostPassword, SshHost } from '@vigie/testing/sshd';

let product: TestProduct;
let gateway: TestBus;
let sites: TestBus;
let host: SshHost;
/** Relays to the host, which count the connections. */
let relayServer: RawServer;
let otherRelay: RawServer;
let folder: string;

beforeAll(async () => {
  product = await TestProduct.start(['ssh-agent']);
  gateway = await connectBus(product.keys.gateway);
  sites = await connectBus(product.keys['sites-svc']);
  host = await SshHost.start();
  relayServer = await cutRelay(host.port, Number.POSITIVE_INFINITY, 'hang');
  otherRelay = await cutRelay(host.port, Number.POSITIVE_INFINITY, 'hang');
  folder = mkdtempSync(join(tmpdir(), 'vigie-keys-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const each of [gateway, sites, relayServer, otherRelay]) await each?.close();
  await host?.stop();
  await product?.stop();
});

type Fields = Parameters<typeof sites.forward<typeof importCredential>>[1];
const aRow = () => ({ table: 'servers' as const, id: randomUUID() });
const aSite = () => ({ table: 'sites' as const, id: randomUUID() });
const here = (): SshAddress => ({ host: '127.0.0.1', port: relayServer.port, user: 'sh' });
const elsewhere = (): SshAddress => ({ ...here(), port: otherRelay.port });
const password: SshAuth = { password: hostPassword };

/** As the gateway seals what a person types into a form. */
const sealAuth = (auth: SshAuth, named: Partial<SshAddress> & { id?: string; server_id?: string } = here()) =>
  gateway.sealField(importCredential, 'auth', { auth, ...named });

/** As sites-svc hands on the form of a new server. */
async function importFor(auth: SshAuth | null, fields: Partial<Fields> = {}) {
  const row = aRow();
  const sealed = auth && (await sealAuth(auth));
  const made = await sites.forward(importCredential, { auth: sealed, ...here(), row, target: here(), ...fields });
  return { ...made, row };
}

const accessOf = ({ credential, row }: { credential: SealedText; row: SshAccess['row'] }): SshAccess => ({
  ...here(),
  row,
  credential,
  version: 1,
  host_key: null,
  allows_private: true,
  kills_children: false,
});

const flip = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );

const probe = (access: SshAccess, by = sites) => by.call(probeServer, { ...access, tcp_only: false });

describe('a stored credential', () => {
  it('opens for the row and address it was sealed for', async () => {
    expect(await probe(accessOf(await importFor(password)))).toMatchObject({ failure: null, method: 'ssh' });
  });

  it.each<[string, (access: SshAccess) => Partial<SshAccess>]>([
    ['another row', () => ({ row: aRow() })],
    ['another table', ({ row }) => ({ row: { ...row, table: 'sites' } })],
    ['another host', () => ({ host: 'localhost' })],
    ['another port', () => ({ port: otherRelay.port })],
    ['another user', () => ({ user: 'bash' })],
    ['a flipped bit', ({ credential }) => ({ credential: { ...credential, tag: flip(credential.tag) } })],
    ['another key', ({ credential }) => ({ credential: { ...credential, protected: flip(credential.protected) } })],
  ])('does not open for %s, and no host is contacted', async (_, change) => {
    const access = accessOf(await importFor(password));
    const changed = { ...access, ...change(access) };
    const before = [relayServer.connections, otherRelay.connections];
    expect(await codeOf(probe(changed))).toBe('conflict');
    expect([relayServer.connections, otherRelay.connections]).toEqual(before);
  });

  it('of another installation does not open', async () => {
    const other = await TestProduct.start(['ssh-agent']);
    const { row, ...made } = await importFor(password);
    const theirs = await connectBus(other.keys['sites-svc']);
    expect(await codeOf(probe(accessOf({ ...made, row }), theirs))).toBe('conflict');
    await theirs.close();
    await other.stop();
  });
});

describe('a secret in transit', () => {
  it.each<[string, () => Promise<Partial<Fields>>]>([
    ['another host', async () => ({ host: 'localhost', target: { ...here(), host: 'localhost' } })],
    ['another port', async () => ({ port: elsewhere().port, target: elsewhere() })],
    ['another user', async () => ({ user: 'bash', target: { ...here(), user: 'bash' } })],
    ['a target that was not named', async () => ({ target: elsewhere() })],
    ['no named address', async () => ({ host: null, port: null, user: null, target: elsewhere() })],
    ['a row that was not named', async () => ({ id: randomUUID() })],
    ['somebody else’s address', async () => ({ auth: await sealAuth(password, elsewhere()) })],
    ['an edit of another row', async () => ({ auth: await sealAuth(password, { ...here(), id: randomUUID() }) })],
    [
      'another call',
      async () => ({
        auth: await gateway.sealField({ ...importCredential, name: createServer.name }, 'auth', {
          auth: password,
          ...here(),
        }),
      }),
    ],
    [
      'another field',
      async () => ({ auth: await gateway.sealField(importCredential, 'target', { target: password, ...here() }) }),
    ],
    [
      'another reader',
      async () => ({
        auth: await gateway.sealField(
          {
            ...importCredential,
            sealed: { reader: 'auth-svc', fields: ['auth'], boundTo: ['id', 'host', 'port', 'user'] },
          },
          'auth',
          { auth: password, ...here() },
        ),
      }),
    ],
    ['the clear', async () => ({ auth: password })],
  ])('does not open for %s', async (_, change) => {
    expect(['internal', 'invalid']).toContain(await codeOf(importFor(password, await change())));
  });

  it('does not open once a bit of it was flipped', async () => {
    const sealed = await sealAuth(password);
    for (const part of ['protected', 'iv', 'ciphertext', 'tag'] as const) {
      const auth = { ...sealed, [part]: flip(sealed[part]) };
      expect([part, await codeOf(importFor(null, { auth }))]).toEqual([part, 'internal']);
    }
  });

  it('does not open when another installation sealed it', async () => {
    const stranger = await connectBus(generateKeys().gateway);
    const auth = await stranger.sealField(importCredential, 'auth', { auth: password, ...here() });
    await stranger.close();
    expect(await codeOf(importFor(null, { auth }))).toBe('internal');
  });

  it('for an edit without an address goes to the address of the stored credential, and nowhere else', async () => {
    const { row, credential } = await importFor(null);
    const auth = await sealAuth(password, { id: row.id });
    const edit = { auth, id: row.id, row, target: here(), current: { credential, address: here() } };
    expect(await codeOf(sites.forward(importCredential, edit))).toBe('answered');
    expect(await codeOf(sites.forward(importCredential, { ...edit, target: elsewhere() }))).toBe('invalid');
    expect(await codeOf(sites.forward(importCredential, { ...edit, row: aRow() }))).toBe('invalid');
    expect(await codeOf(sites.forward(importCredential, { ...edit, current: null }))).toBe('invalid');
    const moved = { ...edit, target: elsewhere(), current: { credential, address: elsewhere() } };
    expect(await codeOf(sites.forward(importCredential, moved))).toBe('invalid');
  });

  it('is accepted from sites-svc alone', async () => {
    const fields = { auth: await sealAuth(password), ...here(), row: aRow(), target: here() };
    expect(await codeOf(gateway.forward(importCredential, fields))).toBe('forbidden');
  });
});

describe('a credential that is sealed again', () => {
  it('without a new secret opens as before', async () => {
    const { row, credential } = await importFor(password);
    const current = { credential, address: here() };
    const again = await sites.call(importCredential, { row, target: here(), current });
    expect(again.credential).not.toEqual(credential);
    expect((await probe(accessOf({ ...again, row }))).failure).toBeNull();
  });

  it('moves a key to another address, and never a password', async () => {
    const target = elsewhere();
    const key = await importFor({ privateKeyPem: host.privateKey });
    const moved = await sites.call(importCredential, {
      row: key.row,
      target,
      current: { credential: key.credential, address: here() },
    });
    expect(await probe({ ...accessOf({ ...moved, row: key.row }), ...target })).toMatchObject({ failure: null });
    const { row, credential } = await importFor(password);
    const move = { row, target, current: { credential, address: here() } };
    expect(await codeOf(sites.call(importCredential, move))).toBe('invalid');
  });

  it('for another row does not open the stored one', async () => {
    const { credential } = await importFor(password);
    const theft = { row: aRow(), target: here(), current: { credential, address: here() } };
    expect(await codeOf(sites.call(importCredential, theft))).toBe('conflict');
  });
});

/** A server whose credential is sealed for this address. */
async function aServer(auth: SshAuth, address = here()) {
  const sealed = await sealAuth(auth, address);
  const { row, credential } = await importFor(null, { auth: sealed, ...address, target: address });
  return { id: row.id, row, address, credential };
}
type Lender = Awaited<ReturnType<typeof aServer>>;

describe('a site that uses the credential of its server', () => {
  const probeSite = ({ credential, row, address }: Lender, claimed = address) =>
    probe({ ...accessOf({ credential, row: aSite() }), sealed_for: { row, address: claimed } });

  it('logs in with the key of the server', async () => {
    const server = await aServer({ privateKeyPem: host.privateKey }, elsewhere());
    expect(await probeSite(server)).toMatchObject({ method: 'ssh', failure: null });
  });

  it('never gets its password, even for the same address', async () => {
    for (const address of [elsewhere(), here()]) {
      const probed = await probeSite(await aServer(password, address));
      expect([probed.method, probed.failure?.code]).toEqual(['tcp', 'authentication']);
    }
  });

  it('gets nothing when another address is claimed for the server', async () => {
    const server = await aServer({ privateKeyPem: host.privateKey }, elsewhere());
    expect(await codeOf(probeSite(server, here()))).toBe('conflict');
  });
});

describe('a secret for a site', () => {
  const defaults = { host: 'site.invalid', port: 22, user: 'root' };
  const evil = () => ({ ...here(), host: 'evil.invalid' });

  async function importTo(target: SshAddress, named: Partial<SshAddress> & { server_id?: string }, server?: Lender) {
    const auth = await sealAuth(password, named);
    return codeOf(sites.forward(importCredential, { auth, ...named, row: aSite(), target, server }));
  }

  it('goes to the address of its server when the form leaves it out', async () => {
    const server = await aServer(password);
    const named = { server_id: server.id };
    expect(await importTo(here(), named, server)).toBe('answered');
    expect(await importTo({ ...here(), user: 'bash' }, { ...named, user: 'bash' }, server)).toBe('answered');
    expect(await importTo(here(), { ...named, user: 'bash' }, server)).toBe('invalid');
    expect(await importTo(evil(), named, server)).toBe('invalid');
    expect(await importTo(here(), named)).toBe('invalid');
  });

  it('goes to no other server than the one in the form', async () => {
    const [named, other] = [await aServer(password), await aServer(password)];
    expect(await importTo(here(), { server_id: named.id }, other)).toBe('invalid');
    expect(await importTo(evil(), { server_id: named.id }, { ...named, address: evil() })).toBe('conflict');
    // As if the form had named the other server, which the seal disproves.
    const auth = await sealAuth(password, { server_id: named.id });
    const swapped = { auth, server_id: other.id, row: aSite(), target: here(), server: other };
    expect(await codeOf(sites.forward(importCredential, swapped))).toBe('internal');
  });

  it('goes to the default port and user when the form leaves them out, and to no other', async () => {
    expect(await importTo(defaults, { host: defaults.host })).toBe('answered');
    expect(await importTo({ ...defaults, port: 2222 }, { host: defaults.host })).toBe('invalid');
    expect(await importTo({ ...defaults, user: 'sh' }, { host: defaults.host })).toBe('invalid');
    expect(await importTo(defaults, {})).toBe('invalid');
  });
});

describe('a private key', () => {
  const refusal = (auth: SshAuth) =>
    importFor(auth).then(
      () => 'taken',
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );

  function makeKey(...options: string[]): string {
    const file = join(folder, randomUUID());
    const { status, stderr } = spawnSync('ssh-keygen', ['-q', '-f', file, ...options]);
    if (status !== 0) throw new Error(stderr.toString());
    return readFileSync(file, 'utf8');
  }

  const encrypted = (rounds = '1') => makeKey('-t', 'ed25519', '-a', rounds, '-N', 'phrase de passe');

  it('that is encrypted needs its passphrase, the right one', async () => {
    const privateKeyPem = encrypted();
    expect(await refusal({ privateKeyPem })).toMatch(/^invalid: .*phrase secrète.*saisissez-la/);
    expect(await refusal({ privateKeyPem, passphrase: 'fausse' })).toMatch(/^invalid: La phrase secrète n’ouvre pas/);
    expect(await refusal({ privateKeyPem, passphrase: 'phrase de passe' })).toBe('taken');
  });

  it('whose passphrase takes long does not hold up other calls', async () => {
    const order: string[] = [];
    const privateKeyPem = encrypted('64');
    const slow = importFor({ privateKeyPem, passphrase: 'phrase de passe' }).then(() => order.push('key'));
    for (let n = 0; n < 20; n += 1) await gateway.call(checkAgent, {}).then(() => order.push('call'));
    await slow;
    // One or two calls may come before the key; if it blocked them, none would.
    expect(order.indexOf('key')).toBeGreaterThan(4);
  });

  it.each<[string, () => string, RegExp]>([
    ['with too many rounds', () => withRounds(encrypted(), 4_000_000), /trop de calcul.*ssh-keygen -p/],
    ['of PuTTY', () => 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n', /PuTTY.*puttygen/],
    ['of a FIDO device', fidoKey, /FIDO/],
    ['that is weak', weakKey, /1024 bits/],
    ['that is a public one', () => `ssh-ed25519 ${'A'.repeat(68)}`, /clé publique/],
  ])('%s is refused with a sentence of its own', async (_, make, sentence) => {
    const detail = await refusal({ privateKeyPem: make(), passphrase: 'phrase de passe' });
    expect(detail).toMatch(/^invalid: /);
    expect(detail).toMatch(sentence);
  });

  function weakKey(): string {
    return generateKeyPairSync('rsa', {
      modulusLength: 1024,
      publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    }).privateKey;
  }

  const bytesOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
  const pemOf = (bytes: Buffer) =>
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`;

  /** Replaces the number of rounds, which follows a salt of sixteen bytes. */
  function withRounds(pem: string, rounds: number): string {
    const bytes = bytesOf(pem);
    bytes.writeUInt32BE(rounds, bytes.indexOf(Buffer.from([0, 0, 0, 24, 0, 0, 0, 16])) + 24);
    return pemOf(bytes);
  }

  /** A key file up to the name of its type, which comes before anything secret. */
  function fidoKey(): string {
    const text = (value: string | Buffer) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(value));
      return Buffer.concat([length, Buffer.from(value)]);
    };
    const none = [text('none'), text('none'), text('')];
    const one = Buffer.from([0, 0, 0, 1]);
    const kind = text(text('sk-ssh-ed25519@openssh.com'));
    return pemOf(Buffer.concat([Buffer.from('openssh-key-v1\0'), ...none, one, kind, text('')]));
  }
});

it('does not start where VIGIE_SSH_ALLOW is misspelt', async () => {
  const misspelt = ['10.0.0.0/8 192.168.0.0/16', 'localhost', '10.0.0.0/33'];
  const env = product.envOf('ssh-agent');
  const agents = misspelt.map((ranges) =>
    TestProcess.start('ssh-agent/main.js', { ...env, VIGIE_SSH_ALLOW: ranges }, product.home),
  );
  expect(await Promise.all(agents.map((agent) => agent.exit()))).toEqual([78, 78, 78]);
  for (const { output } of agents) expect(output).toContain('VIGIE_SSH_ALLOW: must be ranges of addresses');
});
