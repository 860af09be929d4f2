import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConsoleClient, type ConsoleOptions, RefusedConsole } from '@vigie/testing/consoles';
import { RawServer } from '@vigie/testing/hostile-ssh';
import { addServer, aServer } from '@vigie/testing/hosts';
import { freePort } from '@vigie/testing/ports';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { Relay } from '@vigie/testing/relay';
import { testServers } from '@vigie/testing/servers';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let host: SshHost;
let bus: Relay;
let token: string;
let serverId: string;

beforeAll(async () => {
  const nats = new URL(testServers().natsUrl);
  bus = await Relay.to(nats.hostname, Number(nats.port));
  nats.port = String(bus.port);
  const env = { NATS_URL: nats.toString() };
  product = await TestProduct.start(['gateway', 'gateway', 'auth-svc', 'sites-svc', 'ssh-agent'], env);
  host = await SshHost.start({ home: { 'phare.txt': 'lumière\n' } });
  token = await product.login();
  serverId = (await addServer(product, token, aServer(host))).id;
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
  await bus?.stop();
});

const begin = (options: ConsoleOptions = {}, id = serverId) => ConsoleClient.open(product, id, { token, ...options });

async function open(options: ConsoleOptions = {}) {
  const client = await begin(options);
  const { console, ...attached } = await client.frame('attached');
  return { client, console: String(console), attached };
}

async function close(client: ConsoleClient) {
  client.sendFrame({ type: 'close' });
  expect((await client.closed).code).toBe(1000);
}

const noSession = () => until(() => host.processes().length === 1);
/** No session, and no process that was started in one. */
const nothingLeft = () => until(() => host.processes().length === 1 && host.userProcesses().length === 0);
const rowOf = async (id: string) =>
  (await product.database.query('select * from sites.consoles where id = $1', [id])).rows[0];

const list = async () => {
  const { body } = await product.requestPatiently('GET', '/api/consoles', { token });
  return body['items'] as Record<string, unknown>[];
};

it('lets a plain client type and read, and ends its shell with it', async () => {
  const client = await begin({ usesProtocol: false });
  client.type('ls\r');
  await client.waitForOutput('phare.txt');
  client.type('echo $TERM; stty size\r');
  await client.waitForOutput('24 80');
  expect(client.text).toContain('xterm-256color');
  client.type('cat phare.txt; exit\r');
  expect(await client.closed).toEqual({ code: 1000, reason: 'exit' });
  expect(client.text).toContain('lumière');
  await nothingLeft();
  const other = await begin({ usesProtocol: false });
  other.type('sleep 1000\r');
  await other.waitForOutput('sleep');
  other.cut();
  await nothingLeft();
  await until(async () => (await list()).length === 0);
});

it('reports its state, resizes, and reports how the shell ended', async () => {
  const client = await begin({ query: { cols: 100, rows: 30 } });
  const { console, ...attached } = await client.frame('attached');
  expect(attached).toEqual({ type: 'attached', from: 0, lost: 0, input: 0, is_new: true, is_others: false });
  client.type('stty size\r');
  await client.waitForOutput('30 100');
  client.sendFrame({ type: 'resize', cols: 132, rows: 43 });
  client.type('stty size\r');
  await client.waitForOutput('43 132');
  client.sendFrame({ type: 'ping' });
  await client.frame('pong');
  const opened = { id: console, server_id: serverId, server_name: 'web-03', server_type: 'prod', user: 'sh' };
  await until(async () => (await list())[0]?.['is_attached'] === true);
  expect(await list()).toEqual([expect.objectContaining({ ...opened, host: '127.0.0.1', port: host.port })]);
  client.type('exit 7\r');
  expect(await client.frame('exit')).toEqual({ type: 'exit', code: 7, signal: null });
  expect((await client.closed).code).toBe(1000);
  await until(async () => (await list()).length === 0);
});

it('begins in the folder of a site of its user and server, and says when it cannot', async () => {
  const addSite = async (path: string, server: string | null = serverId, owner = token) => {
    const connection = { ssh: { server_id: server, host: '127.0.0.1', user: 'sh', wp_path: path } };
    const body = { name: path, url: 'https://exemple.fr', connection };
    return String((await product.request('POST', '/api/sites', { token: owner, body })).body['id']);
  };
  const folder = join(host.home, `c'est "là" $HOME 🐚`);
  mkdirSync(folder);
  const inFolder = await begin({ query: { site: await addSite(folder) } });
  inFolder.type('pwd; echo fi"ni"\r');
  await inFolder.waitForOutput('fini');
  expect(inFolder.text).toContain(folder);
  expect(inFolder.text).not.toContain('ne s’ouvre pas');
  await close(inFolder);
  const atHome = await begin({ query: { site: await addSite('/nulle/part') } });
  await atHome.waitForOutput('Le dossier /nulle/part ne s’ouvre pas');
  atHome.type('pwd\r');
  await atHome.waitForOutput(host.home);
  await close(atHome);
  const refusal = (site: string) =>
    begin({ query: { site } }).catch((error: unknown) => (error instanceof RefusedConsole ? error.status : error));
  const otherServer = (await addServer(product, token, aServer(host, { name: 'ailleurs' }))).id;
  expect(await refusal(await addSite(folder, otherServer))).toBe(404);
  const somebody = await addUser(product, token);
  expect(await refusal(await addSite('/var/www', null, somebody.token))).toBe(404);
  expect(await refusal('x')).toBe(400);
});

it('resumes at another gateway, without a byte lost or doubled', async () => {
  const command = 'seq -f "ligne %.0f" 400000; echo fi"ni"';
  const script = `stty -echo -opost; printf "de%s" but; ${command}\r`;
  const own = randomUUID();
  let client = await begin({ query: { client: own } });
  const { console } = await client.frame('attached');
  const parts: Buffer[] = [];
  // The prompt has arrived already.
  let offset = client.received;
  let onOffset = () => {};
  const collect = (at: ConsoleClient) => {
    at.isOutputKept = false;
    at.onOutput = (bytes) => {
      parts.push(bytes);
      offset += bytes.length;
      onOffset();
    };
  };
  const passes = (goal: number) =>
    new Promise<void>((resolve) => {
      onOffset = () => offset > goal && resolve();
      onOffset();
    });
  collect(client);
  client.type(script);
  for (let cut = 1; cut <= 6; cut += 1) {
    // Goals count from the start: a fast machine may send everything before a goal that counts from the last cut.
    await passes(cut * 700_000);
    // Bytes that still arrive are not kept, so that the offset matches the kept ones.
    client.onOutput = undefined;
    client.cut();
    const from = offset;
    const isOthers = cut === 6;
    const query = { console: String(console), from, input: script.length, client: isOthers ? randomUUID() : own };
    client = await begin({ at: cut % 2, query });
    collect(client);
    const state = { lost: 0, input: script.length, is_new: false, is_others: isOthers };
    const attached = { type: 'attached', console, from, ...state };
    expect(await client.frame('attached')).toEqual(attached);
  }
  await until(() => Buffer.concat(parts.slice(-20)).includes('fini'));
  const all = Buffer.concat(parts).toString();
  const received = all.slice(all.indexOf('debut') + 5, all.indexOf('fini'));
  const expected = Array.from({ length: 400_000 }, (_, at) => `ligne ${at + 1}\n`).join('');
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  expect([received.length, hash(received)]).toEqual([expected.length, hash(expected)]);
  await close(client);
  await nothingLeft();
});

/** In MiB, of all processes of a service. */
const memoryOf = (app: 'gateway' | 'ssh-agent') =>
  product.processesOf(app).reduce((sum, { pid }) => {
    const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return sum + Number(kib) / 1024;
  }, 0);

it('makes a flood wait for a client that does not read, and loses none of it', async () => {
  const { client } = await open();
  const { client: neighbour } = await open();
  const echo = async (count: number) => {
    const since = performance.now();
    for (let at = 0; at < count; at += 1) {
      neighbour.type(`echo n"${at}"-${count}\r`);
      await neighbour.waitForOutput(`n${at}-${count}`);
    }
    return performance.now() - since;
  };
  await echo(5);
  const quiet = await echo(20);
  const before = { gateway: memoryOf('gateway'), agent: memoryOf('ssh-agent') };
  client.isReading = false;
  client.type('stty -opost; yes 0123456789abcde\r');
  await until(() => client.received > 200_000);
  const busy = await echo(21);
  const stopped = client.received;
  // Without an acknowledgement no more than the window arrives, however long it takes.
  expect(stopped).toBeLessThanOrEqual(262_144);
  expect(memoryOf('gateway') - before.gateway).toBeLessThan(100);
  expect(memoryOf('ssh-agent') - before.agent).toBeLessThan(100);
  expect(busy).toBeLessThan(quiet * 5 + 10_000);
  client.isReading = true;
  client.acknowledge();
  await until(() => client.received > stopped + 1_000_000);
  client.type('\u0003');
  client.type('echo fi"ni"\r');
  await client.waitForOutput('fini');
  const text = client.text;
  const flood = text.slice(text.indexOf('0123456789abcde\n'), text.lastIndexOf('0123456789abcde\n') + 16);
  expect(flood.length % 16).toBe(0);
  expect(flood.replaceAll('0123456789abcde\n', '')).toBe('');
  await close(client);
  await close(neighbour);
  await noSession();
});

it('resumes through another gateway when one is killed or stops', async () => {
  const { client, console } = await open({ at: 1 });
  client.type('export GARDE=phare; echo pre"t"\r');
  await client.waitForOutput('pret');
  const [, second] = product.processesOf('gateway');
  await second?.kill('SIGKILL');
  expect((await client.closed).code).toBe(1006);
  const { client: again, attached } = await open({ query: { console, from: client.received } });
  expect(attached).toMatchObject({ from: client.received, lost: 0, is_new: false });
  again.type('echo "$GARDE-ici"\r');
  await again.waitForOutput('phare-ici');
  again.cut();
  const third = await product.add('gateway');
  const { client: last } = await open({ at: product.gateways.length - 1, query: { console } });
  await third.kill('SIGTERM');
  expect(await last.closed).toEqual({ code: 1001, reason: 'stopping' });
  expect(await third.exit()).toBe(0);
  const { client: end } = await open({ query: { console } });
  end.type('echo "$GARDE-encore"\r');
  await end.waitForOutput('phare-encore');
  await close(end);
  await noSession();
});

it('resumes when the bus comes back', async () => {
  const { client, console } = await open();
  client.type('export GARDE=phare; echo pre"t"\r');
  await client.waitForOutput('pret');
  bus.cut();
  client.type('echo pendant\r');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  bus.heal();
  // Either the console noticed nothing, or it was closed and must be attached again.
  const isClosed = () => client.socket.readyState === client.socket.CLOSED;
  await until(() => isClosed() || client.output.includes('pendant\r\npendant'));
  const closed = isClosed() && (await client.closed);
  if (closed) expect(closed.code).toBe(4503);
  const back = async (): Promise<ConsoleClient> => {
    try {
      return (await open({ query: { console } })).client;
    } catch {
      return back();
    }
  };
  const again = closed ? await back() : client;
  again.type('echo "$GARDE-revenu"\r');
  await again.waitForOutput('phare-revenu');
  expect(again.text.split('phare-revenu')).toHaveLength(2);
  await close(again);
  await noSession();
});

it('explains a failed login in the words of a server test', async () => {
  const wrong = (await addServer(product, token, aServer(host, { auth: { password: 'faux mot de passe' } }))).id;
  const client = await begin({}, wrong);
  expect((await client.closed).code).toBe(4404);
  const tested = await product.request('POST', `/api/servers/${wrong}/test`, { token });
  const { message, remedy } = Object(tested.body['detail']);
  expect(client.frames).toEqual([{ type: 'error', code: 'ssh', message: `${message} ${remedy}` }]);
  // The host refuses at once, before a client can have attached.
  const shut = (await addServer(product, token, aServer({ port: await freePort() }))).id;
  for (let round = 0; round < 5; round += 1) {
    const late = await begin({}, shut);
    await late.closed;
    expect(late.frames).toEqual([
      { type: 'error', code: 'ssh', message: expect.stringContaining('refuse les connexions au port') },
    ]);
  }
  const moved = (await addServer(product, token, aServer(host))).id;
  await product.database.query('update sites.servers set host_key = $2 where id = $1', [
    moved,
    `SHA256:${'A'.repeat(43)}`,
  ]);
  const refused = await begin({}, moved);
  await refused.closed;
  expect(refused.frames).toEqual([
    { type: 'error', code: 'host_key_changed', message: expect.stringContaining('La clé du serveur a changé') },
  ]);
  const pinned = await product.request('GET', `/api/servers/${serverId}`, { token });
  expect(pinned.body['host_key']).toBe(host.hostKey);
});

it('ends a shell that its client does not know of when that client leaves', async () => {
  const mute = await RawServer.start(() => undefined);
  const slow = (await addServer(product, token, aServer({ port: mute.port }))).id;
  const ends = async () =>
    (await product.database.query('select end_reason from sites.consoles where server_id = $1', [slow])).rows;
  const cut = (client: ConsoleClient) => Promise.resolve(client.cut());
  for (const leave of [cut, close]) {
    const { connections } = mute;
    const client = await begin({}, slow);
    await until(() => mute.connections > connections);
    await leave(client);
    await until(async () => (await ends()).every((row) => row.end_reason !== null));
  }
  expect(await ends()).toEqual([{ end_reason: 'closed' }, { end_reason: 'closed' }]);
  await mute.close();
});

it('reports a lost host', async () => {
  const { client, console } = await open();
  host.cutSessions();
  expect((await client.closed).code).toBe(4404);
  expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'ssh' });
  await until(async () => (await rowOf(console)).end_reason === 'ssh');
});

it('opens for a token that may, and ends with the token', async () => {
  const makeToken = async (scope: string) => {
    const body = { name: 'n', scopes: [scope], expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    return (await product.requestPatiently('POST', '/api/tokens', { token, body })).body;
  };
  const readOnly = String((await makeToken('read'))['token']);
  const refused = await product.request('POST', `/api/servers/${serverId}/ws-ticket`, { token: readOnly, body: {} });
  expect(refused.status).toBe(403);
  const made = await makeToken('console');
  const { client } = await open({ token: String(made['token']) });
  const { rows } = await product.database.query(
    "select from sites.audit_lines where action = 'console_open' and details::jsonb -> 'token' = $1",
    [{ id: made['id'], name: 'n' }],
  );
  expect(rows).toHaveLength(1);
  await product.request('DELETE', `/api/tokens/${String(made['id'])}`, { token });
  expect((await client.closed).code).toBe(4401);
  await noSession();
});

it('ends with its agent, and reports it', async () => {
  const { client, console } = await open();
  const [agent] = product.processesOf('ssh-agent');
  await product.add('ssh-agent');
  await agent?.kill('SIGKILL');
  expect(await client.closed).toEqual({ code: 4404, reason: 'gone' });
  await noSession();
  const late = await begin({ query: { console } });
  expect(await late.closed).toEqual({ code: 4404, reason: 'gone' });
  await product.database.query("update sites.consoles set renewed_at = now() - interval '1 minute' where id = $1", [
    console,
  ]);
  await until(async () => (await rowOf(console)).ended_at !== null);
  expect((await rowOf(console)).end_reason).toBe('agent_lost');
  const { client: second, console: other } = await open();
  await product.processesOf('ssh-agent').at(-1)?.kill('SIGTERM');
  expect(await second.closed).toEqual({ code: 4404, reason: 'gone' });
  await noSession();
  await until(async () => (await rowOf(other)).end_reason === 'agent_stopped');
});
