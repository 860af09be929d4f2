import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConsoleClient, type ConsoleOptions } from '@vigie/testing/consoles';
import { RawServer } from '@vigie/testing/hostile-ssh';
import { addServer, aServer } from '@vigie/testing/hosts';
import { freePort } from '@vigie/testing/ports';
import { TestProduct } from '@vigie/testing/product';
import { Relay } from '@vigie/testing/relay';
import { testServers } from '@vigie/testing/servers';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let host: SshHost;
let bus: Relay;
let token: string;
let server: string;

beforeAll(async () => {
  const nats = new URL(testServers().natsUrl);
  bus = await Relay.to(nats.hostname, Number(nats.port));
  nats.port = String(bus.port);
  const env = { NATS_URL: nats.toString() };
  product = await TestProduct.start(['gateway', 'gateway', 'auth-svc', 'sites-svc', 'ssh-agent'], env);
  host = await SshHost.start();
  token = await product.login();
  server = (await addServer(product, token, aServer(host))).id;
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
  await bus?.stop();
});

async function open(options: ConsoleOptions = {}, on = server) {
  const client = await ConsoleClient.open(product, on, { token, ...options });
  const { console, ...attached } = await client.frame('attached');
  return { client, console: String(console), attached };
}

async function close(client: ConsoleClient) {
  client.say({ type: 'close' });
  expect((await client.closed).code).toBe(1000);
}

const noSession = () => until(() => host.processes().length === 1);
const rowOf = async (id: string) =>
  (await product.database.query('select * from sites.consoles where id = $1', [id])).rows[0];

/** In MiB, of all processes of a service. */
const memoryOf = (app: 'gateway' | 'ssh-agent') =>
  product.of(app).reduce((sum, { pid }) => {
    const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return sum + Number(kib) / 1024;
  }, 0);

it('lets a flood wait for who does not read, and loses none of it', async () => {
  const { client } = await open();
  const { client: neighbour } = await open();
  const echo = async (count: number) => {
    const since = performance.now();
    for (let at = 0; at < count; at += 1) {
      neighbour.type(`echo n"${at}"-${count}\r`);
      await neighbour.sees(`n${at}-${count}`);
    }
    return performance.now() - since;
  };
  await echo(5);
  const quiet = await echo(20);
  const before = { gateway: memoryOf('gateway'), agent: memoryOf('ssh-agent') };
  client.reads = false;
  client.type('stty -opost; yes 0123456789abcde\r');
  await until(() => client.received > 200_000);
  const busy = await echo(21);
  const stopped = client.received;
  // Without a word of what was read, no more than the window comes, however long it takes.
  expect(stopped).toBeLessThanOrEqual(262_144);
  expect(memoryOf('gateway') - before.gateway).toBeLessThan(100);
  expect(memoryOf('ssh-agent') - before.agent).toBeLessThan(100);
  expect(busy).toBeLessThan(quiet * 5 + 10_000);
  client.reads = true;
  client.acknowledge();
  await until(() => client.received > stopped + 1_000_000);
  client.type('\u0003');
  client.type('echo fi"ni"\r');
  await client.sees('fini');
  const text = client.text;
  const flood = text.slice(text.indexOf('0123456789abcde\n'), text.lastIndexOf('0123456789abcde\n') + 16);
  expect(flood.length % 16).toBe(0);
  expect(flood.replaceAll('0123456789abcde\n', '')).toBe('');
  await close(client);
  await close(neighbour);
  await noSession();
});

it('goes on through another gateway when one is killed or stops', async () => {
  const { client, console } = await open({ at: 1 });
  client.type('export GARDE=phare; echo pre"t"\r');
  await client.sees('pret');
  const [, second] = product.of('gateway');
  await second?.kill('SIGKILL');
  expect((await client.closed).code).toBe(1006);
  const { client: again, attached } = await open({ query: { console, from: client.received } });
  expect(attached).toMatchObject({ from: client.received, lost: 0, is_new: false });
  again.type('echo "$GARDE-ici"\r');
  await again.sees('phare-ici');
  again.cut();
  const third = await product.add('gateway');
  const { client: last } = await open({ at: product.gateways.length - 1, query: { console } });
  await third.kill('SIGTERM');
  expect(await last.closed).toEqual({ code: 1001, reason: 'stopping' });
  expect(await third.exit()).toBe(0);
  const { client: end } = await open({ query: { console } });
  end.type('echo "$GARDE-encore"\r');
  await end.sees('phare-encore');
  await close(end);
  await noSession();
});

it('comes back when the bus does', async () => {
  const { client, console } = await open();
  client.type('export GARDE=phare; echo pre"t"\r');
  await client.sees('pret');
  bus.cut();
  client.type('echo pendant\r');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  bus.heal();
  // Either it noticed nothing, or it says that it has to be attached anew.
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
  await again.sees('phare-revenu');
  expect(again.text.split('phare-revenu')).toHaveLength(2);
  await close(again);
  await noSession();
});

it('says in the words of a test why a host lets nobody in', async () => {
  const wrong = (await addServer(product, token, aServer(host, { auth: { password: 'faux mot de passe' } }))).id;
  const client = await ConsoleClient.open(product, wrong, { token });
  expect((await client.closed).code).toBe(4404);
  const tested = await product.request('POST', `/api/servers/${wrong}/test`, { token });
  const { message, remedy } = Object(tested.body['detail']);
  expect(client.frames).toEqual([{ type: 'error', code: 'ssh', message: `${message} ${remedy}` }]);
  // Refused at once: quicker than anybody can look.
  const shut = (await addServer(product, token, aServer({ port: await freePort() }))).id;
  for (let round = 0; round < 5; round += 1) {
    const late = await ConsoleClient.open(product, shut, { token });
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
  const refused = await ConsoleClient.open(product, moved, { token });
  await refused.closed;
  expect(refused.frames).toEqual([
    { type: 'error', code: 'host_key_changed', message: expect.stringContaining('La clé du serveur a changé') },
  ]);
  const pinned = await product.request('GET', `/api/servers/${server}`, { token });
  expect(pinned.body['host_key']).toBe(host.hostKey);
});

it('ends a shell that nobody was told of with whoever asked for it', async () => {
  const mute = await RawServer.start(() => undefined);
  const slow = (await addServer(product, token, aServer({ port: mute.port }))).id;
  const ends = async () =>
    (await product.database.query('select end_reason from sites.consoles where server_id = $1', [slow])).rows;
  const cut = (client: ConsoleClient) => Promise.resolve(client.cut());
  for (const leave of [cut, close]) {
    const { connections } = mute;
    const client = await ConsoleClient.open(product, slow, { token });
    await until(() => mute.connections > connections);
    await leave(client);
    await until(async () => (await ends()).every((row) => row.end_reason !== null));
  }
  expect(await ends()).toEqual([{ end_reason: 'closed' }, { end_reason: 'closed' }]);
  await mute.close();
});

it('says that a host has gone', async () => {
  const { client, console } = await open();
  host.cutSessions();
  expect((await client.closed).code).toBe(4404);
  expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'ssh' });
  await until(async () => (await rowOf(console)).end_reason === 'ssh');
});

it('ends with its agent, and says so', async () => {
  const { client, console } = await open();
  const [agent] = product.of('ssh-agent');
  await product.add('ssh-agent');
  await agent?.kill('SIGKILL');
  expect(await client.closed).toEqual({ code: 4404, reason: 'gone' });
  await noSession();
  const late = await ConsoleClient.open(product, server, { token, query: { console } });
  expect(await late.closed).toEqual({ code: 4404, reason: 'gone' });
  await product.database.query("update sites.consoles set renewed_at = now() - interval '1 minute' where id = $1", [
    console,
  ]);
  await until(async () => (await rowOf(console)).ended_at !== null);
  expect((await rowOf(console)).end_reason).toBe('agent_lost');
  const { client: second, console: other } = await open();
  await product.of('ssh-agent').at(-1)?.kill('SIGTERM');
  expect(await second.closed).toEqual({ code: 4404, reason: 'gone' });
  await noSession();
  await until(async () => (await rowOf(other)).end_reason === 'agent_stopped');
});
