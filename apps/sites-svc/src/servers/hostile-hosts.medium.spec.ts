import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settled } from '@vigie/testing/answers';
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
const lies = [
  `system\tLinux ${escapes}${'x'.repeat(5_000)}`,
  `user\troot${escapes}`,
  `nofiles\t${escapes}${'y'.repeat(5_000)}`,
  'child\t1; reboot 1',
  `disk\t/dev/a 1 1 5000000 10% /${escapes}${'z'.repeat(5_000)}`,
  ...phpLines(3_000),
].join('\n');

/** Each by what it does to whoever comes, and what is due to be said about it. */
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
    start: () => dying(),
    due: [502, 'closed', /a coupé la connexion/],
  },
  'showing another key the second time': {
    start: () => turncoat(),
    due: [409, 'host_key_changed', /La clé du serveur a changé.*Aucun identifiant n’a été envoyé/],
  },
  lying: {
    start: () => FakeSsh.start({ exec: printing(lies, escapes.repeat(2_000)) }),
    due: [200, undefined, /^$/],
  },
};

let product: TestProduct;
let root: string;
let good: SshHost;
let other: SshHost;
let healthy: Server;
const started: Host[] = [];
const answers = new Map<string, Answer>();
const servers = new Map<string, Server>();
/** While the hostile ones were being tested. */
const meanwhile = { looks: [] as Record<string, unknown>[], codes: [] as number[], memory: [] as number[] };

beforeAll(async () => {
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'], {
    VIGIE_SSH_ALLOW: '127.0.0.0/8',
  });
  [good, other] = await Promise.all([SshHost.start(), SshHost.start()]);
  root = await product.login();
  healthy = { ...(await addServer(product, root, aServer(good))), token: root };
  for (const [name, { start }] of Object.entries(hosts)) {
    servers.set(name, await add(root, await kept(start())));
  }
  // One that is not known yet would be logged in to first.
  await readStatusOf(product, root, healthy.id);
  await testAll();
});
afterAll(async () => {
  await Promise.all([...started.map((host) => host.close()), good?.stop(), other?.stop()]);
  await product?.stop();
});

/** Closed at the end of all. */
async function kept<H extends Host>(starting: Promise<H>): Promise<H> {
  const host = await starting;
  started.push(host);
  return host;
}

function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write(socket.bytesWritten === 0 ? 'SSH-2.0-' : 'a'), 2);
  socket.once('close', () => clearInterval(timer));
}

/** As much as the other side takes. */
function flood(write: (bytes: Buffer) => boolean, from: NodeJS.EventEmitter): void {
  const bytes = Buffer.alloc(65_536, 'gigabytes of it, without a line end ');
  const pour = () => {
    while (write(bytes)) continue;
  };
  from.on('drain', pour).on('error', () => from.removeAllListeners('drain'));
  pour();
}

/** Its connection ends where a script has begun to talk. */
async function dying(): Promise<Host> {
  const talk = printing('system\tLinux\n', '', 'hangs');
  const real = await FakeSsh.start({
    exec: (...request) => {
      talk?.(...request);
      void door.close();
    },
  });
  const door = await RawServer.start((socket) => pipe(socket, real.port));
  return { port: door.port, close: () => real.close() };
}

/** One host the first time, another one the second. */
function turncoat(): Promise<Host> {
  const ports = [good.port, other.port];
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
  const [agent] = product.of('ssh-agent');
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${agent?.pid}/status`, 'utf8'))?.[1]);
};

/** All at once, and meanwhile others ask for what they need. */
async function testAll(): Promise<void> {
  meanwhile.memory.push(memoryOfAgent());
  let isOver = false;
  const tests = [...servers].map(async ([name, server]) =>
    answers.set(name, await settled(product, root, await ask(server, 'POST', '/test'))),
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
  it.each(Object.keys(hosts))('%s says so in time, in words that can be shown', (name) => {
    const { status, body, text } = answers.get(name) as Answer;
    const detail = Object(body['detail']);
    const [dueStatus, code, sentence] = hosts[name]?.due ?? [];
    // Of a test that outlasts the patience of a gateway its job says the same.
    expect([status === 202 ? dueStatus : status, detail.code]).toEqual([dueStatus, code]);
    expect(detail.message ?? '').toMatch(sentence ?? /./);
    expect(text.length).toBeLessThan(32_768);
    expect(textsIn(body).filter((each) => /[\p{Cc}\p{Cf}]/u.test(each))).toEqual([]);
  });

  it('any of them leaves the others quick, and the memory flat', () => {
    expect(new Set(meanwhile.looks.map(({ method }) => method))).toEqual(new Set(['ssh']));
    expect(new Set(meanwhile.codes)).toEqual(new Set([200]));
    // What comes after the answer came too late for it.
    const late = meanwhile.looks.filter(({ refreshing }) => refreshing);
    expect(late.length).toBeLessThan(meanwhile.looks.length / 2);
    const [before = 0] = meanwhile.memory;
    expect(Math.max(...meanwhile.memory) - before).toBeLessThan(150 * 1_024);
  });

  it('a turncoat gets the credential once, and is not pinned', async () => {
    expect(other.log).not.toContain('Accepted password');
    const { body } = await ask(servers.get('showing another key the second time') as Server, 'GET', '');
    expect(body['host_key']).toBeNull();
  });
});

describe('a host that bans', () => {
  it('is there, and why it lets nobody in is said', async () => {
    const server = servers.get('banning') as Server;
    const seen = await readStatusOf(product, root, server.id, '?fresh=1');
    expect(seen).toMatchObject({ online: true, method: 'tcp', error: expect.stringContaining('refuse pour un temps') });
  });

  it('hears one attempt, however many ask', async () => {
    const attempts: string[] = [];
    const authenticate: Parameters<typeof FakeSsh.start>[0] = {
      authenticate: (context) => {
        if (context.method === 'password') attempts.push(context.username);
        context.reject(['password']);
      },
    };
    const server = await add(root, await kept(FakeSsh.start(authenticate)));
    const tests = await Promise.all(Array.from({ length: 8 }, () => ask(server, 'POST', '/test')));
    expect(tests.map(({ status }) => status)).toEqual(Array(8).fill(502));
    await Promise.all(Array.from({ length: 20 }, () => ask(server, 'GET', '/status?fresh=1')));
    expect(attempts).toHaveLength(1);
  });
});

describe('many hosts that hang', () => {
  it('cost their owner, and nobody else', async () => {
    const muteHost = () => kept(RawServer.start(() => undefined));
    // Four log in at once at each of them.
    const [mute, ...mutes] = await Promise.all([muteHost(), ...Array.from({ length: 18 }, muteHost)]);
    const client = await addUser(product, root);
    const hanging: Server[] = [];
    for (let n = 0; n < 70; n += 1) hanging.push(await add(client.token, mutes[n % mutes.length] ?? mute));
    // The looks of one person are as many as it has places for. Of so many questions at once some may be refused.
    const looked = () => mutes.reduce((total, { connections }) => total + connections, 0);
    while (looked() < 48) {
      const looks = await Promise.all(hanging.map((server) => ask(server, 'GET', '/status?fresh=1')));
      expect(looks.filter(({ status, body }) => ![200, 503].includes(status) || body['online'] === true)).toEqual([]);
    }
    const tested: Server[] = [];
    for (let n = 0; n < 8; n += 1) tested.push(await add(client.token, mute));
    const tests = await Promise.all(tested.map((server) => ask(server, 'POST', '/test', { prefer: 'respond-async' })));
    expect(tests.filter(({ status }) => status !== 202)).toEqual([]);
    // And as many tests as a host has places for.
    await until(() => mute.connections >= 3);
    // One that nobody has looked at: what it takes is not already open.
    const fresh = await add(root, good);
    const begunAt = performance.now();
    expect(await readStatusOf(product, root, fresh.id)).toMatchObject({ online: true, method: 'ssh' });
    // Before the first of those is given up.
    expect(performance.now() - begunAt).toBeLessThan(10_000);
    expect((await ask(fresh, 'POST', '/test')).status).toBe(200);
    for (const host of [mute, ...mutes]) host.cut();
  });
});
