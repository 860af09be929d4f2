import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConsoleClient } from '@vigie/testing/consoles';
import { addServer, aServer } from '@vigie/testing/hosts';
import { TestProduct } from '@vigie/testing/product';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let host: SshHost;
let token: string;
let server: string;

beforeAll(async () => {
  product = await TestProduct.start(['gateway', 'gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  host = await SshHost.start({ home: { 'phare.txt': 'lumière\n' } });
  token = await product.login();
  server = (await addServer(product, token, aServer(host))).id;
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
});

const open = (options: Parameters<typeof ConsoleClient.open>[2] = {}) =>
  ConsoleClient.open(product, server, { token, ...options });

const list = async () => {
  const { body } = await product.request('GET', '/api/consoles', { token });
  return body['items'] as Record<string, unknown>[];
};

/** Nothing that was begun there is left. */
const noSession = () => until(() => host.processes().length === 1 && host.left().length === 0);

it('lets a plain client type and read, and ends its shell with it', async () => {
  const client = await open({ isOurs: false });
  client.type('ls\r');
  await client.sees('phare.txt');
  client.type('echo $TERM; stty size\r');
  await client.sees('24 80');
  expect(client.text).toContain('xterm-256color');
  client.type('cat phare.txt; exit\r');
  expect(await client.closed).toEqual({ code: 1000, reason: 'exit' });
  expect(client.text).toContain('lumière');
  await noSession();
  const other = await open({ isOurs: false });
  other.type('sleep 1000\r');
  await other.sees('sleep');
  other.cut();
  await noSession();
  await until(async () => (await list()).length === 0);
});

it('says what it does, resizes, and tells how the shell ended', async () => {
  const client = await open({ query: { cols: 100, rows: 30 } });
  const { console, ...attached } = await client.frame('attached');
  expect(attached).toEqual({ type: 'attached', from: 0, lost: 0, input: 0, is_new: true, is_others: false });
  client.type('stty size\r');
  await client.sees('30 100');
  client.say({ type: 'resize', cols: 132, rows: 43 });
  client.type('stty size\r');
  await client.sees('43 132');
  client.say({ type: 'ping' });
  await client.frame('pong');
  const opened = { id: console, server_id: server, server_name: 'web-03', server_type: 'prod', user: 'sh' };
  await until(async () => (await list())[0]?.['is_attached'] === true);
  expect(await list()).toEqual([expect.objectContaining({ ...opened, host: '127.0.0.1', port: host.port })]);
  client.type('exit 7\r');
  expect(await client.frame('exit')).toEqual({ type: 'exit', code: 7, signal: null });
  expect((await client.closed).code).toBe(1000);
  await until(async () => (await list()).length === 0);
});

it('goes on where it was, at another gateway, without a byte lost or doubled', async () => {
  const command = 'seq -f "ligne %.0f" 400000; echo fi"ni"';
  const script = `stty -echo -opost; printf "de%s" but; ${command}\r`;
  const own = randomUUID();
  let client = await open({ query: { client: own } });
  const { console } = await client.frame('attached');
  const parts: Buffer[] = [];
  // The prompt came already.
  let place = client.received;
  const collect = (at: ConsoleClient) => {
    at.keepsOutput = false;
    at.onOutput = (bytes) => {
      parts.push(bytes);
      place += bytes.length;
    };
  };
  collect(client);
  client.type(script);
  for (let cut = 1; cut <= 6; cut += 1) {
    const goal = place + 500_000;
    await until(() => place > goal);
    // What still comes of it is not kept: the place is that of what was.
    client.onOutput = undefined;
    client.cut();
    const from = place;
    const isOthers = cut === 6;
    const query = { console: String(console), from, input: script.length, client: isOthers ? randomUUID() : own };
    client = await open({ at: cut % 2, query });
    collect(client);
    const told = { lost: 0, input: script.length, is_new: false, is_others: isOthers };
    const attached = { type: 'attached', console, from, ...told };
    expect(await client.frame('attached')).toEqual(attached);
  }
  await until(() => Buffer.concat(parts.slice(-20)).includes('fini'));
  const all = Buffer.concat(parts).toString();
  const got = all.slice(all.indexOf('debut') + 5, all.indexOf('fini'));
  const due = Array.from({ length: 400_000 }, (_, at) => `ligne ${at + 1}\n`).join('');
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  expect([got.length, hash(got)]).toEqual([due.length, hash(due)]);
  client.say({ type: 'close' });
  expect((await client.closed).code).toBe(1000);
  await noSession();
});
