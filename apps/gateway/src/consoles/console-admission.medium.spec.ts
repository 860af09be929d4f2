import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectWithoutKeys, textOf } from '@vigie/testing/bus';
import { requestTicket, ConsoleClient, type ConsoleOptions, RefusedConsole } from '@vigie/testing/consoles';
import { dumpTables } from '@vigie/testing/dump';
import { addServer, aServer } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

let product: TestProduct;
let host: SshHost;
let root: string;
let serverId: string;

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent']);
  host = await SshHost.start();
  root = await product.login();
  serverId = (await addServer(product, root, aServer(host))).id;
});
afterAll(async () => {
  await host?.stop();
  await product?.stop();
});

/** Consoles that a test leaves open would count in the next one. */
afterEach(async () => {
  const { rows } = await query('select id from sites.consoles where ended_at is null');
  for (const { id } of rows) await product.request('DELETE', `/api/consoles/${id}`, { token: root });
  await noSession();
});

const open = (options: ConsoleOptions = {}, id = serverId) =>
  ConsoleClient.open(product, id, { token: root, ...options });
const openAttached = async (options: ConsoleOptions = {}, id = serverId) => {
  const client = await open(options, id);
  return { client, console: String((await client.frame('attached'))['console']) };
};
const refusal = (options: ConsoleOptions, id = serverId) =>
  open(options, id).then(
    () => 'opened',
    (error: unknown) => (error instanceof RefusedConsole ? error.status : error),
  );
const query = (sql: string, ...values: unknown[]) => product.database.query(sql, values);
const noSession = () => until(() => host.processes().length === 1);
const close = async (client: ConsoleClient) => {
  client.sendFrame({ type: 'close' });
  await client.closed;
};

describe('a ticket', () => {
  it('is required, and works once, for its server, within half a minute', async () => {
    const other = (await addServer(product, root, aServer(host, { name: 'autre' }))).id;
    expect(await refusal({ ticket: '' })).toBe(401);
    expect(await refusal({ ticket: 'x' })).toBe(401);
    expect(await refusal({ ticket: 'A'.repeat(43) })).toBe(401);
    const late = await requestTicket(product, root, serverId);
    await query("update sites.console_tickets set expires_at = now() - interval '1 second'");
    expect(await refusal({ ticket: late })).toBe(401);
    const strayed = await requestTicket(product, root, other);
    expect(await refusal({ ticket: strayed })).toBe(401);
    expect(await refusal({ ticket: strayed }, other)).toBe(401);
    const ticket = await requestTicket(product, root, serverId);
    const both = await Promise.all([refusal({ ticket }), refusal({ ticket })]);
    expect(new Set(both)).toEqual(new Set([401, 'opened']));
    expect(await refusal({ ticket })).toBe(401);
  });

  it('says that an Origin header is required', async () => {
    const { body } = await product.request('POST', `/api/servers/${serverId}/ws-ticket`, { token: root, body: {} });
    expect(body).toEqual({ ticket: expect.any(String), message: expect.stringContaining('Origin') });
  });

  it('ends with its session and with its server', async () => {
    const session = await product.login();
    const ticket = await requestTicket(product, session, serverId);
    await product.request('POST', '/api/auth/logout', { token: session });
    expect(await refusal({ ticket })).toBe(401);
    const deleted = (await addServer(product, root, aServer(host))).id;
    const orphan = await requestTicket(product, root, deleted);
    await product.request('DELETE', `/api/servers/${deleted}`, { token: root });
    expect(await refusal({ ticket: orphan }, deleted)).toBe(404);
  });

  it('is stored as a hash, and sealed on the bus', async () => {
    const intruder = await connectWithoutKeys();
    const hush = await intruder.listen();
    const ticket = await requestTicket(product, root, serverId);
    expect([...(await dumpTables(product.database)).values()].join('\n')).not.toContain(ticket);
    expect((await hush()).map(textOf).join('\n')).not.toContain(ticket);
    await intruder.close();
    const logs = product.processes.map(({ process }) => process.output).join('\n');
    expect(logs).not.toContain(ticket);
    expect(await refusal({ ticket })).toBe('opened');
  });
});

describe('console admission', () => {
  it('accepts our own pages only, and uses up a ticket that a foreign page sends', async () => {
    const [gateway = ''] = product.gateways;
    const foreign = [
      null,
      'null',
      'https://evil.example',
      `${gateway}.evil.example`,
      gateway.replace('http:', 'https:'),
    ];
    for (const origin of foreign) {
      const ticket = await requestTicket(product, root, serverId);
      expect(await refusal({ ticket, origin })).toBe(403);
      expect(await refusal({ ticket })).toBe(401);
    }
    expect(await refusal({})).toBe('opened');
  });

  it('refuses a request that is no WebSocket, with a sentence', async () => {
    const ticket = await requestTicket(product, root, serverId);
    const path = `/api/servers/${serverId}/ws?ticket=${ticket}`;
    expect((await product.request('GET', path)).status).toBe(400);
    const refused = await open({ ticket, query: { cols: 0 } }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: expect.any(Number), detail: expect.anything() });
    expect(await refusal({ ticket, query: { from: -1 } })).not.toBe('opened');
    const raw = product.dial();
    raw.write(`POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
    const [answer] = (await once(raw, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
    raw.destroy();
  });

  it('uses up a ticket and opens a shell only if the WebSocket can be established', async () => {
    const ticket = await requestTicket(product, root, serverId);
    const [gateway = ''] = product.gateways;
    const countConsoles = async () => (await query('select count(*)::int from sites.consoles')).rows[0]?.count;
    const before = await countConsoles();
    const defaults = {
      upgrade: 'websocket',
      version: '13',
      key: 'dGhlIHNhbXBsZSBub25jZQ==',
      protocol: 'vigie.console.v1',
    };
    const invalid = [{ upgrade: 'h2c' }, { version: '99' }, { key: 'x' }, { protocol: 'a, a' }, { protocol: 'a b' }];
    for (const wrong of invalid) {
      const { upgrade, ...rest } = { ...defaults, ...wrong };
      const headers = Object.entries(rest).map(([name, value]) => `sec-websocket-${name}: ${value}\r\n`);
      const raw = product.dial();
      raw.write(`GET /api/servers/${serverId}/ws?ticket=${ticket} HTTP/1.1\r\nhost: x\r\norigin: ${gateway}\r\n`);
      raw.write(`connection: upgrade\r\nupgrade: ${upgrade}\r\n${headers.join('')}\r\n`);
      const [answer] = (await once(raw, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"detail":".+"\}$/);
      raw.destroy();
    }
    expect(await countConsoles()).toBe(before);
    expect(await refusal({ ticket })).toBe('opened');
  });

  it('survives an upgrade request behind a request without an answer', async () => {
    const raw = product.dial();
    const closed = once(raw, 'close');
    const path = `/api/servers/${serverId}/ws`;
    const first = 'GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n';
    raw.write(`${first}GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
    raw.resume();
    await closed;
    expect((await product.request('GET', '/api/consoles', { token: root })).status).toBe(200);
  });

  it('refuses a console of another user, or of another server', async () => {
    const { client, console } = await openAttached();
    const { token } = await addUser(product, root, 'admin');
    const headers = { 'x-admin-mode': '1' };
    const ticket = await requestTicket(product, token, serverId, { headers });
    expect(await refusal({ ticket, query: { console } })).toBe(404);
    const other = (await addServer(product, root, aServer(host))).id;
    expect(await refusal({ query: { console } }, other)).toBe(404);
    const { body } = await product.request('GET', '/api/consoles', { token, headers });
    expect(body['items']).toEqual([]);
    await close(client);
  });

  it('admits ten consoles per user and ten per server', async () => {
    const { id, token } = await addUser(product, root, 'admin');
    const mine = (await addServer(product, token, aServer(host))).id;
    const fill = (owner: string, filledServerId: string, count: number) =>
      query(
        `insert into sites.consoles (id, user_id, sid, admin_mode, server_id, server_name, server_type, host, port, login)
         select gen_random_uuid(), $1, $1, false, $2, '', 'prod', '', 1, '' from generate_series(1, $3)`,
        owner,
        filledServerId,
        count,
      );
    const nobody = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
    await fill(id, nobody, 10);
    const full = await open({ token }, mine).catch((error: unknown) => error);
    expect(full).toMatchObject({
      status: 429,
      detail: { code: 'too_many', message: expect.stringContaining('10 consoles') },
    });
    await query('delete from sites.consoles where user_id = $1', id);
    await fill(nobody, mine, 10);
    expect(await open({ token }, mine).catch((error: unknown) => error)).toMatchObject({ status: 429 });
    await query('delete from sites.consoles where server_id = $1', mine);
    const { client } = await openAttached({ token }, mine);
    await close(client);
  });
});

describe('a WebSocket that sends too much', () => {
  const maxBuffered = 1_048_576;
  /**
   * Reads after so many frames: a client that sends for longer than a second without reading
   * loses the reason of the cut.
   */
  async function sendUntilCut({ socket }: ConsoleClient, frames: number, send: () => void): Promise<void> {
    while (socket.readyState === socket.OPEN) {
      for (let sent = 0; sent < frames && socket.bufferedAmount < maxBuffered; sent += 1) send();
      await setImmediate();
    }
  }
  const cases: [string, number, (client: ConsoleClient) => void | Promise<void>][] = [
    ['a frame that is too large', 1009, ({ socket }) => socket.send(Buffer.alloc(65_537))],
    ['an invalid message', 1008, ({ socket }) => socket.send('{"type":"resize","cols":0}')],
    ['frames without end', 4429, (client) => sendUntilCut(client, 1_000, () => client.sendFrame({ type: 'ping' }))],
    ['control frames without end', 4429, (client) => sendUntilCut(client, 1_000, () => client.socket.ping())],
    [
      'bytes without end',
      4429,
      (client) => {
        // Not input, which is read no faster than the shell takes it.
        const ping = JSON.stringify({ type: 'ping' }).padStart(60_000);
        return sendUntilCut(client, 10, () => client.socket.send(ping));
      },
    ],
    [
      'a message in pieces without end',
      1008,
      ({ socket }) => {
        for (let sent = 0; sent < 200; sent += 1) socket.send('', { fin: false });
      },
    ],
    [
      'frames that are not masked',
      1002,
      ({ socket }) => {
        socket.send('{}', { mask: false });
      },
    ],
  ];

  it.each(cases)('is cut: %s', async (_, code, talk) => {
    const { client } = await openAttached();
    await talk(client);
    expect((await client.closed).code).toBe(code);
  });

  it('may send input in pieces, down to one byte', async () => {
    const { client } = await openAttached();
    const text = 'echo mor"ceau"x\r';
    for (const [at, letter] of Array.from(text).entries())
      client.socket.send(letter, { binary: true, fin: at === text.length - 1 });
    await client.waitForOutput('morceaux');
    client.socket.send(Buffer.alloc(0));
    for (const letter of 'echo lett"re"s\r') client.type(letter);
    await client.waitForOutput('lettres');
    expect(client.text.split('morceaux')).toHaveLength(2);
    await close(client);
  });
});

describe('a console ends', () => {
  /** The promised five seconds, doubled for a busy machine. */
  const soonMs = 10_000;

  it('within 5 s of a logout, whether a client is attached or not', async () => {
    for (const isAttached of [true, false]) {
      const token = await product.login();
      const { client } = await openAttached({ token });
      if (!isAttached) client.cut();
      await product.request('POST', '/api/auth/logout', { token });
      const since = Date.now();
      if (isAttached) expect((await client.closed).code).toBe(4401);
      if (isAttached) expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'session_ended' });
      await noSession();
      expect(Date.now() - since).toBeLessThan(soonMs);
    }
  });

  it('with its session even without an event, and with its server', async () => {
    const { token, id } = await addUser(product, root);
    await query('update sites.owners set is_admin = true where user_id = $1', id);
    const mine = (await addServer(product, root, aServer(host))).id;
    await query('update sites.servers set owner_id = $2 where id = $1', mine, id);
    await query(
      'insert into sites.owners (user_id, is_admin) values ($1, true) on conflict (user_id) do update set is_admin = true',
      id,
    );
    const { client: silent } = await openAttached({ token }, mine);
    await query('delete from auth.sessions where user_id = $1', id);
    const since = Date.now();
    expect(await silent.closed).toEqual({ code: 4401, reason: 'session_ended' });
    expect(Date.now() - since).toBeLessThan(soonMs);
    for (const removeAccess of [
      () => query('update sites.servers set owner_id = gen_random_uuid() where id = $1', mine),
      () => product.request('DELETE', `/api/servers/${mine}?force=1`, { token: root }),
    ]) {
      await query(
        "update sites.servers set owner_id = (select id from auth.users where email = 'admin@localhost') where id = $1",
        mine,
      );
      const { client } = await openAttached({}, mine);
      await removeAccess();
      expect((await client.closed).code).toBe(4404);
      expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'server_gone' });
    }
    await noSession();
  });

  it('in every client when one ends it, and has one client at a time', async () => {
    const { client, console } = await openAttached();
    client.type('echo pre"mie"r\r');
    await client.waitForOutput('premier');
    const { client: second } = await openAttached({ query: { console } });
    expect(await client.closed).toEqual({ code: 4409, reason: 'taken_over' });
    expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'taken_over' });
    // A page that was reloaded reads the earlier output.
    await second.waitForOutput('premier');
    expect((await product.request('DELETE', `/api/consoles/${console}`, { token: root })).status).toBe(204);
    expect((await second.closed).code).toBe(1000);
    await noSession();
    const late = await open({ query: { console } });
    expect((await late.closed).code).toBe(4404);
    expect(late.frames).toEqual([{ type: 'error', code: 'gone', message: expect.any(String) }]);
    // Until its agent has reported the end, ending it once more is accepted.
    const ended = () => query('select 1 from sites.consoles where id = $1 and ended_at is not null', console);
    await until(async () => (await ended()).rowCount === 1);
    expect((await product.request('DELETE', `/api/consoles/${console}`, { token: root })).status).toBe(404);
  });

  it('in the audit, with the number of bytes and none of the content', async () => {
    const { client, console } = await openAttached();
    client.type('echo se"cre"t\r');
    await client.waitForOutput('secret');
    await close(client);
    const lines = async () =>
      (await query('select * from sites.audit_lines where details like $1 order by at', `%${console}%`)).rows;
    await until(async () => (await lines()).length === 2);
    const [opened, ended] = await lines();
    expect(opened).toMatchObject({
      action: 'console_open',
      actor_name: 'admin@localhost',
      target: 'web-03',
      result: 'done',
    });
    expect(ended).toMatchObject({ action: 'console_end', actor_name: 'admin@localhost', target_id: serverId });
    const details = JSON.parse(ended.details);
    expect(details).toMatchObject({
      reason: 'closed',
      bytes_in: 'echo se"cre"t\r'.length,
      host: '127.0.0.1',
      user: 'sh',
    });
    expect(details.bytes_out).toBeGreaterThanOrEqual(client.received);
    expect(JSON.stringify(await lines())).not.toContain('cre');
  });
});

describe('an intruder on the bus', () => {
  it('reads nothing, types nothing, and attaches nothing', async () => {
    const intruder = await connectWithoutKeys();
    const hush = await intruder.listen();
    const { client, console } = await openAttached();
    client.type('echo con"fid"entiel; n=$((n+1)); echo "fois=$n"\r');
    await client.waitForOutput('fois=1');
    const messages = (await hush()).filter(({ subject }) => subject.includes(console));
    // At least one frame goes to the agent, and one comes back.
    expect(messages.length).toBeGreaterThan(1);
    const all = messages.map((message) => textOf(message)).join('\n');
    expect(all).not.toMatch(/confidentiel|echo con|fois=/);
    for (const { subject, body, envelope } of messages) {
      await intruder.publish(subject, body, envelope);
      await intruder.publish(subject, Buffer.from('rm -rf /\r'), envelope);
      const changed = Buffer.from(body);
      changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
      await intruder.publish(subject, changed, envelope);
    }
    client.type('echo "enfin=$n"\r');
    await client.waitForOutput('enfin=1');
    expect(client.text).not.toContain('fois=2');
    expect(client.text).not.toContain('rm -rf');
    await intruder.close();
    await close(client);
    await noSession();
  });
});
