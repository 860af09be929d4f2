import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectWithoutKeys, textOf } from '@vigie/testing/bus';
import { canary, containsSecret } from '@vigie/testing/canaries';
import { dumpRedis, dumpTables } from '@vigie/testing/dump';
import { FakeSsh, printing } from '@vigie/testing/hostile-ssh';
import { aServer } from '@vigie/testing/hosts';
import { type Answer, TestProduct } from '@vigie/testing/product';
import { testServers } from '@vigie/testing/servers';
import { hostPassword, SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

const storedPassword = { name: 'an accepted password', value: hostPassword };
const sent = {
  created: canary('cree'),
  edited: canary('edite'),
  wrong: canary('faux'),
  refused: canary('refuse'),
  misplaced: canary('egare'),
  broken: canary('panne'),
  passphrase: canary('phrase'),
  wrongPassphrase: canary('fausse-phrase'),
  inBanner: canary('banniere'),
  inMethods: canary('methodes'),
  inFacts: canary('faits'),
  inNoise: canary('bruit'),
  // A cut message could keep half of a secret.
  atTheCut: canary('coupe'),
};
const secrets = [storedPassword, ...Object.entries(sent).map(([name, value]) => ({ name, value }))];
const answers: { label: string; answer: Answer }[] = [];

let product: TestProduct;
let host: SshHost;
let root: string;
let folder: string;
let bus: string;
let tables: string;
const hostile: FakeSsh[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigie-keys-'));
  const env = { VIGIE_LOG_LEVEL: 'trace', VIGIE_SCAN_SECONDS: '1' };
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'], env);
  host = await SshHost.start();
  root = await product.login();
  const intruder = await connectWithoutKeys();
  const messages = await intruder.listen();
  await liveThroughEverything();
  bus = (await messages()).map(textOf).join('\n');
  await intruder.close();
  // A subscriber to all subjects counts as a responder for NATS.
  await failAlone();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all(hostile.map((echoHost) => echoHost.close()));
  await host?.stop();
  await product?.stop();
});

async function liveThroughEverything(): Promise<void> {
  await useAPassword();
  await useKeys();
  for (const echo of echoes) await sufferEcho(echo);
  tables = [...(await dumpTables(product.database)).values()].join('\n');
  await failInside();
  await ask('list', 'GET', '');
  await ask('feed', 'GET', '/../dashboard/activity?limit=50');
}

async function useAPassword(): Promise<void> {
  const key = { 'idempotency-key': 'une-fois' };
  const id = await create('created', { auth: { password: sent.created } }, key);
  await ask('created again', 'POST', '', aServer(host, { auth: { password: sent.wrong } }), key);
  await visit('created', id);
  await ask('edited', 'PUT', `/${id}`, { host: 'localhost', auth: { password: sent.edited } });
  await visit('edited', id);
  await ask('accepted', 'PUT', `/${id}`, { auth: { password: hostPassword } });
  await visit('accepted', id);
  const pinned = `SHA256:${'A'.repeat(43)}`;
  await product.database.query('update sites.servers set host_key = $2, version = version + 1 where id = $1', [
    id,
    pinned,
  ]);
  await visit('changed key', id);
  await ask('trusted', 'POST', `/${id}/trust`, { fingerprint: host.hostKey });
  await ask('two proofs', 'PUT', `/${id}`, { auth: { password: sent.refused, privateKeyPem: sent.refused } });
  await ask('unknown field', 'PUT', `/${id}`, { auth: { password: sent.refused, more: sent.refused } });
  await ask('no object', 'PUT', `/${id}`, { auth: sent.refused });
  await ask('misplaced', 'PUT', `/${id}?password=${sent.misplaced}`, { password: sent.misplaced });
  await ask('deleted', 'DELETE', `/${id}`);
}

async function useKeys(): Promise<void> {
  const plainKey = plantKey('a key', host.privateKey);
  const encrypted = plantKey('an encrypted key', makeKey());
  await visit('key', await create('key', { auth: { privateKeyPem: plainKey } }));
  const locked = { privateKeyPem: encrypted, passphrase: sent.wrongPassphrase };
  await ask('locked key', 'POST', '', aServer(host, { auth: locked }));
  await ask('key without passphrase', 'POST', '', aServer(host, { auth: { privateKeyPem: encrypted } }));
  const truncatedKey = plantKey('a cut key', makeKey()).slice(0, 200);
  await ask('cut key', 'POST', '', aServer(host, { auth: { privateKeyPem: truncatedKey } }));
  const id = await create('unlocked key', {
    auth: { privateKeyPem: encrypted, passphrase: sent.passphrase },
  });
  await visit('unlocked key', id);
  await ask('key moved', 'PUT', `/${id}`, { host: 'localhost' });
}

function makeKey(): string {
  const file = join(folder, canary('fichier'));
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-a', '1', '-N', sent.passphrase, '-f', file]);
  return readFileSync(file, 'utf8');
}

/** All lines but the last, which is short. */
function plantKey(name: string, pem: string): string {
  const lines = pem.split('\n').filter((line) => line.length > 40 && !line.startsWith('-----'));
  if (lines.length < 3) throw new Error(`no ${name}`);
  // The first line only names the format.
  secrets.push(...lines.slice(1).map((value) => ({ name, value })));
  return pem;
}

type Echo = { password: string; host: Parameters<typeof FakeSsh.start>[0] };

/** A host that repeats its password wherever it can print something. */
const echoes: Echo[] = [
  {
    password: sent.inBanner,
    host: {
      banner: `Mot de passe : ${sent.inBanner}`,
      authenticate: (context) => context.reject(['password']),
    },
  },
  {
    password: sent.atTheCut,
    host: {
      banner: `${'.'.repeat(290)}${sent.atTheCut}`,
      authenticate: (context) => context.reject(['password']),
    },
  },
  {
    password: sent.inMethods,
    // The server names its methods after the first request, and again once it knows the password.
    host: {
      authenticate: (context) =>
        context.reject(context.method === 'none' ? ['password'] : [sent.inMethods as 'password']),
    },
  },
  {
    password: sent.inFacts,
    host: {
      exec: printing(
        ['system', 'user', 'files', 'php', 'disk', 'time', 'child']
          .map((word) => `${word}\t${sent.inFacts} 8.2.${sent.inFacts} cli /${sent.inFacts} 1 1 1% /${sent.inFacts}`)
          .concat(`php\t8.2.1 cgi ${sent.inFacts}\t/${sent.inFacts}`)
          .join('\n'),
        `${sent.inFacts}\n`,
      ),
    },
  },
  {
    password: sent.inNoise,
    host: {
      exec: (accept) => {
        const channel = accept();
        channel.stderr.write(`${sent.inNoise}\n`);
        channel.write(`${sent.inNoise}\n`);
        channel.exit(1);
        channel.end();
      },
    },
  },
];

async function sufferEcho({ password, host: behaviour }: Echo): Promise<void> {
  const echoHost = await FakeSsh.start(behaviour);
  hostile.push(echoHost);
  const id = await create('echo', { port: echoHost.port, auth: { password } });
  await visit('echo', id);
  await visit('echo again', id);
  await ask('echo found', 'POST', `/${id}/discover`);
  await ask('echo read', 'GET', `/${id}`);
  if (behaviour?.exec) await readSite(id);
}

/** A host's output about a site is stored and shown to people. */
async function readSite(serverId: string): Promise<void> {
  const connection = { ssh: { server_id: serverId, wp_path: '/srv/www' } };
  const createdSite = await ask('echo site', 'POST', '/../sites', {
    name: 'Site',
    url: 'https://exemple.fr',
    connection,
  });
  const siteId = String(createdSite.body['id']);
  const isRead = async () =>
    (await product.database.query('select 1 from sites.sites where id = $1 and ssh_error is not null', [siteId])).rows
      .length > 0;
  await ask('echo site: backups', 'GET', `/../sites/${siteId}/backups`);
  await until(isRead);
  await ask('echo site: read', 'GET', `/../sites/${siteId}`);
}

/** Failures inside a request are logged with their error. */
async function failInside(): Promise<void> {
  const id = await create('to break', { auth: { password: sent.broken } });
  const failures = [];
  await product.database.query('alter table sites.audit_lines rename to hidden');
  const auth = { password: sent.broken };
  failures.push(await ask('broken creation', 'POST', '', aServer(host, { auth })));
  failures.push(await ask('broken edit', 'PUT', `/${id}`, { auth }));
  await product.database.query('alter table sites.hidden rename to audit_lines');
  expect(failures.map(({ status }) => status)).toEqual([500, 500]);
}

async function failAlone(): Promise<void> {
  const id = await create('to fail', { auth: { password: sent.broken } });
  const [agent] = product.processesOf('ssh-agent');
  await agent?.kill();
  const failures = [
    await ask('import without an agent', 'PUT', `/${id}`, { auth: { password: sent.broken } }),
    await ask('test without an agent', 'POST', `/${id}/test`, undefined, { prefer: 'respond-async' }),
  ];
  expect(failures.map(({ status }) => status)).toEqual([503, 202]);
}

async function create(label: string, fields: Record<string, unknown>, headers = {}): Promise<string> {
  const { body, status, text } = await ask(`${label}: creation`, 'POST', '', aServer(host, fields), headers);
  if (status !== 201) throw new Error(`${label}: ${text}`);
  return String(body['id']);
}

/** Calls every route that contacts the host. */
async function visit(label: string, id: string): Promise<void> {
  await ask(`${label}: status`, 'GET', `/${id}/status?fresh=1`);
  await ask(`${label}: test`, 'POST', `/${id}/test`);
  await ask(`${label}: public key`, 'GET', `/${id}/pubkey`);
}

async function ask(label: string, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  const answer = await product.request(method, `/api/servers${path}`, { token: root, body, headers });
  answers.push({ label, answer });
  return answer;
}

const foundIn = (text: string) => secrets.filter(({ value }) => containsSecret(text, value)).map(({ name }) => name);

describe('no credential of a host', () => {
  it('was left out: all flows ran, and the hosts did print theirs', () => {
    const statusOf = (label: string) =>
      answers.filter((each) => each.label === label).map(({ answer }) => answer.status);
    expect(['accepted: test', 'key: test', 'created: test', 'changed key: test'].flatMap(statusOf)).toEqual([
      200, 200, 502, 409,
    ]);
    expect(statusOf('echo: test')).toEqual([502, 502, 502, 200, 502]);
    expect(answers.filter(({ answer }) => answer.text.includes('•••')).length).toBeGreaterThan(5);
    expect(secrets.length).toBeGreaterThan(20);
  });

  it('is in the output of a process', () => {
    const printed = product.processes.map(({ process }) => process.output).join('\n');
    expect(printed).toContain('"level":20');
    expect(printed).toContain('unexpected error');
    expect(foundIn(printed)).toEqual([]);
  });

  it('is in a message on the bus', () => {
    expect(bus).toContain('"ciphertext"');
    expect(foundIn(bus)).toEqual([]);
  });

  it('is in a table', async () => {
    expect(tables).toContain('"ciphertext"');
    expect(foundIn(tables)).toEqual([]);
    expect(foundIn([...(await dumpTables(product.database)).values()].join('\n'))).toEqual([]);
  });

  it('is in Redis', async () => {
    expect(foundIn(await dumpRedis(testServers().redisUrl, ''))).toEqual([]);
  });

  it('is in an answer', () => {
    const leaks = answers.flatMap(({ label, answer }) => {
      const text = `${JSON.stringify([...answer.headers])}\n${answer.text}`;
      return foundIn(text).map((name) => `${name} in ${label}`);
    });
    expect(leaks).toEqual([]);
  });

  it('is in a cut answer, because secrets are masked before the cut', () => {
    expect(answers.filter(({ answer }) => answer.text.includes(sent.atTheCut.slice(0, 8)))).toEqual([]);
  });
});
