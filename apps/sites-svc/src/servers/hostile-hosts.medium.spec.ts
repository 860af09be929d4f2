import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForOutcome } from '@vigie/testing/answers';
import { FakeSsh, printing, RawServer } from '@vigie/testing/hostile-ssh';
import { addServer, aServer, readStatusOf } from '@vigie/testing/hosts';
import { addUser } from '@vigie/testing/people';
import { type Answer, TestProduct } from '@vigie/testing/product';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';

type Host = Pick<RawServer | FakeSsh, 'port' | 'close'>;
type Server = { id: string; token: string };

const escapes = '\u001b]52;c;cm0gLXJm\u0007\u001b[31m\u009b2J\u202E\r\n';
const phpLines = (max: number) =>
  Array.from({ length: max }, (_, n) => `php\t8.2.${n}${escapes} cli /php${n}${escapes}`);
const hostileLines = [
  `system\tLinux ${escapes}${'x'.repeat(5_000)}`,
  `user\troot${escapes}`,
  `nofiles\t${escapes}${'y'.repeat(5_000)}`,
  'child\t1; reboot 1',
  `disk\t/dev/a 1 1 5000000 10% /${escapes}${'z'.repeat(5_000)}`,
  ...phpLines(3_000),
].join('\n');

/** Each hostile host by its behaviour, with the message that its test must show. */
const hosts: Record<string, { start: () => Promise<Host>; due: [number, string | undefined, RegExp] }> = {
  mute: {
    start: () => RawServer.start(() => undefined),
    due: [504, 'timed_out', /n’a pas répondu en 15\u00a0s pour la présentation/],
  },
  dripping: {
    start: () => RawServer.start(drip),
    due: [504, 'timed_out', /n’a pas répondu en 15\u00a0s pour la présentation/],
  },
  'flooding before it says who it is': {
    start: () => RawServer.start((socket) => flood((bytes) => socket.write(bytes), socket)),
    due: [502, 'banner', /n’est pas un serveur SSH/],
  },
  'flooding after the login': {
    start: () =>
      FakeSsh.start({
        exec: (accept) => {
          const channel = accept();
          flood((bytes) => channel.write(bytes), channel);
        },
      }),
    due: [502, 'output_too_large', /plus de 1 Mio/],
  },
  'another service': {
    start: () => RawServer.start((socket) => socket.end(`HTTP/1.1 400 ${escapes}<script>alert(1)</script>\r\n`)),
    due: [502, 'banner', /n’est pas un serveur SSH.*<script>/],
  },
  'refusing with escapes': {
    start: () => FakeSsh.start({ banner: `Non. ${escapes}`, authenticate: (context) => context.reject(['password']) }),
    due: [502, 'authentication', /refuse le mot de passe de cet utilisateur.*Non/],
  },
  banning: {
    start: () => RawServer.start((socket) => socket.end('Not allowed at this time\r\n')),
    due: [502, 'banned', /refuse pour un temps/],
  },
  'hanging after the login': {
    start: () => FakeSsh.start({ opens: false }),
    due: [504, 'timed_out', /n’a pas répondu en 10\u00a0s pour l’ouverture d’une commande/],
  },
  'hanging in the middle': {
    start: () => FakeSsh.start({ exec: printing('system\tLinux\n', '', 'hangs') }),
    due: [504, 'timed_out', /La commande a été arrêtée/],
  },
  'dying in the middle': {
    start: () => disconnecting(),
    due: [502, 'closed', /a coupé la connexion/],
  },
  'showing another key the second time': {
    start: () => turncoat(),
    due: [409, 'host_key_changed', /La clé du serveur a changé.*Aucun identifiant n’a été envoyé/],
  },
  lying: {
    start: () => FakeSsh.start({ exec: printing(hostileLines, escapes.repeat(2_000)) }),
    due: [200, undefined, /^$/],
  },
};

let product: TestProduct;
let root: string;
let healthyHost: SshHost;
let other: SshHost;
let healthy: Server;
const started: Host[] = [];
const answers = new Map<string, Answer>();
const servers = new Map<string, Server>();
/** Answer times of other requests while the hostile hosts were tested. */
const meanwhile = { looks: [] as Record<string, unknown>[], codes: [] as number[], memory: [] as number[] };

beforeAll(async () => {
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'], {
    VIGIE_SSH_ALLOW: '127.0.0.0/8',
  });
  [healthyHost, other] = await Promise.all([SshHost.start(), SshHost.start()]);
  root = await product.login();
  healthy = { ...(await addServer(product, root, aServer(healthyHost))), token: root };
  for (const [name, { start }] of Object.entries(hosts)) {
    servers.set(name, await add(root, await closeLater(start())));
  }
  // The first probe of a new server logs in, so it happens before.
  await readStatusOf(product, root, healthy.id);
  await testAll();
});
afterAll(async () => {
  await Promise.all([...started.map((host) => host.close()), healthyHost?.stop(), other?.stop()]);
  await product?.stop();
});

/** Open sockets, closed after all tests. */
async function closeLater<H extends Host>(starting: Promise<H>): Promise<H> {
  const host = await starting;
  started.push(host);
  return host;
}

function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write(socket.bytesWritten === 0 ? 'SSH-2.0-' : 'a'), 2);
  socket.once('close', () => clearInterval(timer));
}

/** Writes as much as the other side accepts. */
function flood(write: (bytes: Buffer) => boolean, from: NodeJS.EventEmitter): void {
  const bytes = Buffer.alloc(65_536, 'gigabytes of it, without a line end ');
  const pour = () => {
    while (write(bytes)) continue;
  };
  from.on('drain', pour).on('error', () => from.removeAllListeners('drain'));
  pour();
}

/** Closes the connection once a script has begun to print. */
async function disconnecting(): Promise<Host> {
  const talk = printing('system\tLinux\n', '', 'hangs');
  const real = await FakeSsh.start({
    exec: (...request) => {
      talk?.(...request);
      void relay.close();
    },
  });
  const relay = await RawServer.start((socket) => pipe(socket, real.port));
  return { port: relay.port, close: () => real.close() };
}

/** Leads to one host the first time, and to another one later. */
function turncoat(): Promise<Host> {
  const ports = [healthyHost.port, other.port];
  return RawServer.start((socket) => pipe(socket, ports.shift() ?? other.port));
}

function pipe(socket: Socket, port: number): Socket {
  const far = connect({ port, host: '127.0.0.1', noDelay: true });
  far.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  socket
    .on('close', () => far.destroy())
    .pipe(far)
    .pipe(socket);
  return far;
}

async function add(token: string, host: Pick<Host, 'port'>): Promise<Server> {
  return { id: (await addServer(product, token, aServer(host))).id, token };
}

const ask = ({ id, token }: Server, method: string, path: string, headers = {}) =>
  product.request(method, `/api/servers/${id}${path}`, { token, headers });

const memoryOfAgent = () => {
  const [agent] = product.processesOf('ssh-agent');
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${agent?.pid}/status`, 'utf8'))?.[1]);
};

/** Tests all hosts at once, while other requests are timed. */
async function testAll(): Promise<void> {
  meanwhile.memory.push(memoryOfAgent());
  let isOver = false;
  const tests = [...servers].map(async ([name, server]) =>
    answers.set(name, await waitForOutcome(product, root, await ask(server, 'POST', '/test'))),
  );
  const all = Promise.all(tests).finally(() => (isOver = true));
  while (!isOver) {
    meanwhile.looks.push((await ask(healthy, 'GET', '/status?fresh=1')).body);
    meanwhile.codes.push((await ask(healthy, 'GET', '')).status);
    meanwhile.memory.push(memoryOfAgent());
    await sleep(100);
  }
  await all;
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);

describe('the test of a host that is', () => {
  it.each(Object.keys(hosts))('%s ends in time with a message that can be shown', (name) => {
    const { status, body, text } = answers.get(name) as Answer;
    const detail = Object(body['detail']);
    const [dueStatus, code, sentence] = hosts[name]?.due ?? [];
    // A test that outlasts the gateway's time limit has the same message in its job.
    expect([status === 202 ? dueStatus : status, detail.code]).toEqual([dueStatus, code]);
    expect(detail.message ?? '').toMatch(sentence ?? /./);
    expect(text.length).toBeLessThan(32_768);
    expect(textsIn(body).filter((each) => /[\p{Cc}\p{Cf}]/u.test(each))).toEqual([]);
  });

  it('hostile leaves other requests quick, and the memory flat', () => {
    expect(new Set(meanwhile.looks.map(({ method }) => method))).toEqual(new Set(['ssh']));
    expect(new Set(meanwhile.codes)).toEqual(new Set([200]));
    // Output after the answer is too late to count.
    const late = meanwhile.looks.filter(({ refreshing }) => refreshing);
    expect(late.length).toBeLessThan(meanwhile.looks.length / 2);
    const [before = 0] = meanwhile.memory;
    expect(Math.max(...meanwhile.memory) - before).toBeLessThan(150 * 1_024);
  });

  it('changing its key gets the credential once, and is not pinned', async () => {
    expect(other.log).not.toContain('Accepted password');
    const { body } = await ask(servers.get('showing another key the second time') as Server, 'GET', '');
    expect(body['host_key']).toBeNull();
  });
});

describe('a host that bans', () => {
  it('counts as up, with the reason why it refuses logins', async () => {
    const server = servers.get('banning') as Server;
    const status = await readStatusOf(product, root, server.id, '?fresh=1');
    expect(status).toMatchObject({
      online: true,
      method: 'tcp',
      error: expect.stringContaining('refuse pour un temps'),
    });
  });

  it('sees one login attempt, however many requests there are', async () => {
    const attempts: string[] = [];
    const authenticate: Parameters<typeof FakeSsh.start>[0] = {
      authenticate: (context) => {
        if (context.method === 'password') attempts.push(context.username);
        context.reject(['password']);
      },
    };
    const server = await add(root, await closeLater(FakeSsh.start(authenticate)));
    const tests = await Promise.all(Array.from({ length: 8 }, () => ask(server, 'POST', '/test')));
    expect(tests.map(({ status }) => status)).toEqual(Array(8).fill(502));
    await Promise.all(Array.from({ length: 20 }, () => ask(server, 'GET', '/status?fresh=1')));
    expect(attempts).toHaveLength(1);
  });
});

describe('many hosts that hang', () => {
  it('delay their owner, and nobody else', async () => {
    const muteHost = () => closeLater(RawServer.start(() => undefined));
    // Each host has four logins at once.
    const [mute, ...mutes] = await Promise.all([muteHost(), ...Array.from({ length: 18 }, muteHost)]);
    const client = await addUser(product, root);
    const hanging: Server[] = [];
    for (let n = 0; n < 70; n += 1) hanging.push(await add(client.token, mutes[n % mutes.length] ?? mute));
    // Probes of one person are limited to their slots, so some of these requests may be refused.
    const countConnections = () => mutes.reduce((total, { connections }) => total + connections, 0);
    while (countConnections() < 48) {
      const statuses = await Promise.all(hanging.map((server) => ask(server, 'GET', '/status?fresh=1')));
      expect(statuses.filter(({ status, body }) => ![200, 503].includes(status) || body['online'] === true)).toEqual(
        [],
      );
    }
    const tested: Server[] = [];
    for (let n = 0; n < 8; n += 1) tested.push(await add(client.token, mute));
    const tests = await Promise.all(tested.map((server) => ask(server, 'POST', '/test', { prefer: 'respond-async' })));
    expect(tests.filter(({ status }) => status !== 202)).toEqual([]);
    // As many tests as a host has places in its lane.
    await until(() => mute.connections >= 3);
    // A server without any probe yet has no open connection.
    const fresh = await add(root, healthyHost);
    const startedAt = performance.now();
    expect(await readStatusOf(product, root, fresh.id)).toMatchObject({ online: true, method: 'ssh' });
    // This must happen before the first hanging login times out.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect((await ask(fresh, 'POST', '/test')).status).toBe(200);
    for (const host of [mute, ...mutes]) host.cut();
  });
});
