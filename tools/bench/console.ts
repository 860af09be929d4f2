import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleAccess } from '@vigie/testing/consoles';
import { until } from '@vigie/testing/until';
import { searchPath } from '../start/env';
import { fr } from '../terminal';
import { type Consoles, reportConsoles } from './console-report';
import { doorOf, echoing, isEchoing, openEcho } from './echo';
import { notedIn, sizesOf } from './memory';
import { logIn } from './product';
import { login, setSshStage, type Stage } from './ssh-stage';
import { setStage } from './stage';
import { quantile } from './statistics';
import type { Workbench } from './workbench';

const perPerson = 10;
const everyMs = 500;
/** A terminal, however it is reached. */
type Terminal = {
  send: (byte: string) => void;
  hear: (listen: (bytes: Buffer) => void) => void;
  close: () => void;
};

/** What somebody feels who types while many others do, beside what `ssh` would make them feel. */
export async function benchConsole(bench: Workbench, isQuick: boolean): Promise<void> {
  const [people, rounds] = isQuick ? [1, 4] : [10, 20];
  const stage = await setSshStage(bench, 0);
  const { servers, product, homes } = await setStage(bench, 'console');
  const door = doorOf([product.address]);
  const mebibytes = () => new Map(sizesOf(notedIn(homes.product)).map(({ name, megabytes }) => [name, megabytes]));
  bench.step(fr`ouvre les consoles de Vigie`);
  const own = await openOwn(door, stage, 1);
  await feel(own.splice(0), 4);
  const before = mebibytes();
  const terminals = await openOwn(door, stage, people);
  const after = mebibytes();
  const grown = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / terminals.length;
  bench.step(fr`ouvre ${terminals.length} sessions de ssh`);
  const rivals = await openRivals(bench, stage, terminals.length);
  bench.step(fr`tape dans toutes`);
  const felt: Consoles = {
    count: terminals.length,
    own: timesOf(await feel(terminals, rounds)),
    rival: timesOf(await feel(rivals, rounds)),
    megabytes: { gateway: grown('gateway'), agent: grown('ssh-agent') },
  };
  for (const terminal of [...terminals, ...rivals]) terminal.close();
  reportConsoles(felt);
  await product.stop();
  await servers.stop();
  await stage.sshd.stop();
}

const timesOf = (times: readonly number[]) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) });

/** Ten consoles each, on a server of their own: that is how many one may have. */
async function openOwn(door: ConsoleAccess, { sshd }: Stage, people: number): Promise<Terminal[]> {
  const root = await logIn(door.gateways[0] ?? '');
  const opened: Terminal[] = [];
  for (let person = 0; person < people; person++) {
    const who = { email: `${Date.now()}-${person}@vigie.test`, password: 'les vigies veillent' };
    const names = { role: 'admin', first_name: 'Anne', last_name: 'Le Goff' };
    await door.request('POST', '/api/admin/users', { token: root, body: { ...who, ...names } });
    const token = String((await door.request('POST', '/api/auth/login', { body: who })).body['access_token']);
    const form = {
      name: 'banc',
      host: '127.0.0.1',
      port: sshd.port,
      user: 'sh',
      auth: { privateKeyPem: sshd.privateKey },
    };
    const server = String((await door.request('POST', '/api/servers', { token, body: form })).body['id']);
    for (let count = 0; count < perPerson; count++) opened.push(await openOne(door, server, token));
  }
  return opened;
}

async function openOne(door: ConsoleAccess, server: string, token: string): Promise<Terminal> {
  const client = await openEcho(door, server, { token });
  return {
    send: (byte) => client.type(byte),
    hear: (listen) => (client.onOutput = listen),
    close: () => client.say({ type: 'close' }),
  };
}

async function openRivals(bench: Workbench, stage: Stage, count: number): Promise<Terminal[]> {
  const opened: Terminal[] = [];
  while (opened.length < count) {
    const args = ['-tt', ...stage.options(stage.sshd.port), login, echoing];
    const child = spawn('ssh', args, { env: { PATH: searchPath() }, stdio: ['pipe', 'pipe', 'ignore'] });
    bench.atEnd(() => void child.kill());
    opened.push(await rivalOf(child));
  }
  return opened;
}

async function rivalOf(child: ChildProcess): Promise<Terminal> {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('ssh has no pipes');
  let said = '';
  let listen: (bytes: Buffer) => void = (bytes) => (said += bytes.toString());
  stdout.on('data', (bytes: Buffer) => listen(bytes));
  const death = once(child, 'exit').then(() => Promise.reject(new Error(`ssh ended: ${said}`)));
  await Promise.race([until(() => said.includes(isEchoing)), death]);
  death.catch(() => undefined);
  return {
    send: (byte) => void stdin.write(byte),
    hear: (next) => (listen = next),
    close: () => void child.kill(),
  };
}

/** The time of each keystroke until it is seen; all type at once, each at its own moment. */
async function feel(terminals: readonly Terminal[], rounds: number): Promise<number[]> {
  const times: number[] = [];
  const typing = terminals.map(async (terminal, at) => {
    await sleep((everyMs * at) / terminals.length);
    for (let round = 0; round < rounds; round++) {
      const since = performance.now();
      const seen = new Promise<void>((resolve) => terminal.hear(() => resolve()));
      terminal.send('x');
      await seen;
      const took = performance.now() - since;
      times.push(took);
      await sleep(Math.max(0, everyMs - took));
    }
  });
  await Promise.all(typing);
  return times;
}
