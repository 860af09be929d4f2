import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleAccess } from '@vigie/testing/consoles';
import { until } from '@vigie/testing/until';
import { searchPath } from '../start/env';
import { fr } from '../terminal';
import { createAccess, echoCommand, echoMarker, openEcho } from './echo';
import { measure, type Part } from './measure';
import { recordedPids, measureMemory } from './memory';
import { logIn } from './product';
import { aim, milliseconds, number, percentileColumns } from './report';
import { login, setSshStage, type Stage } from './ssh-stage';
import { setStage } from './stage';
import { percentiles } from './statistics';
import type { Workbench } from './workbench';

const perPerson = 10;
const everyMs = 500;

const legend = fr`
  Un sshd privé sur la même machine ; chacun tape deux touches par seconde, à son moment, dans « cat » sur un terminal
  brut. Vigie : WebSocket, passerelle, NATS et agent, chacun pour tous. ssh : un processus par console, lu par un tube.
  Mémoire : part propre à chaque processus (Pss), après contre avant, une première console ayant servi.`;

type Terminal = {
  send: (byte: string) => void;
  listen: (onOutput: (bytes: Buffer) => void) => void;
  close: () => void;
};

/** Measures the echo time of a key while many others type, compared with `ssh`. */
export const consoles: Part = async (bench, isQuick) => {
  const [people, rounds] = isQuick ? [1, 4] : [10, 20];
  const stage = await setSshStage(bench, 0);
  const { product, homes } = await setStage(bench);
  const access = createAccess([product.address]);
  const memory = () =>
    new Map(measureMemory(recordedPids(homes.product)).map(({ name, megabytes: size }) => [name, size]));
  bench.step(fr`ouvre les consoles de Vigie`);
  await measureEchoes(await openVigieConsoles(access, stage, 1), 4);
  const before = memory();
  const terminals = await openVigieConsoles(access, stage, people);
  bench.atEnd(() => terminals.forEach((terminal) => terminal.close()));
  const after = memory();
  const growth = (name: string) => number(((after.get(name) ?? 0) - (before.get(name) ?? 0)) / terminals.length, 2);
  bench.step(fr`ouvre ${terminals.length} sessions de ssh`);
  const rivals = await openSshSessions(bench, stage, terminals.length);
  return [
    measure({
      title: fr`Consoles : l’écho d’une touche, ${terminals.length} à la fois`,
      contenders: {
        vigie: { name: 'Vigie', run: () => measureEchoes(terminals, rounds) },
        ssh: { name: 'ssh', run: () => measureEchoes(rivals, rounds) },
      },
      summarize: (samples) => percentiles(samples.flat()),
      columns: ({ ssh }) => percentileColumns(ssh),
      lines: ({ vigie }) => [
        fr`mémoire par console : passerelle ${growth('gateway')} Mo, agent ${growth('ssh-agent')} Mo`,
        aim('p50', vigie.p50, '≤', 10, milliseconds),
      ],
      note: legend,
    }),
  ];
};

/** Opens ten consoles per user, the maximum, on a server of that user. */
async function openVigieConsoles(access: ConsoleAccess, { sshd }: Stage, people: number): Promise<Terminal[]> {
  const root = await logIn(access.gateways[0] ?? '');
  const terminals: Terminal[] = [];
  for (let person = 0; person < people; person++) {
    const credentials = { email: `${Date.now()}-${person}@vigie.test`, password: 'les vigies veillent' };
    const names = { role: 'admin', first_name: 'Anne', last_name: 'Le Goff' };
    await access.request('POST', '/api/admin/users', { token: root, body: { ...credentials, ...names } });
    const token = String((await access.request('POST', '/api/auth/login', { body: credentials })).body['access_token']);
    const form = {
      name: 'banc',
      host: '127.0.0.1',
      port: sshd.port,
      user: 'sh',
      auth: { privateKeyPem: sshd.privateKey },
    };
    const serverId = String((await access.request('POST', '/api/servers', { token, body: form })).body['id']);
    for (let count = 0; count < perPerson; count++) terminals.push(await openVigieConsole(access, serverId, token));
  }
  return terminals;
}

async function openVigieConsole(access: ConsoleAccess, serverId: string, token: string): Promise<Terminal> {
  const client = await openEcho(access, serverId, { token });
  return {
    send: (byte) => client.type(byte),
    listen: (onOutput) => (client.onOutput = onOutput),
    close: () => client.sendFrame({ type: 'close' }),
  };
}

async function openSshSessions(bench: Workbench, stage: Stage, count: number): Promise<Terminal[]> {
  const terminals: Terminal[] = [];
  while (terminals.length < count) {
    const args = ['-tt', ...stage.options(stage.sshd.port), login, echoCommand];
    const child = spawn('ssh', args, { env: { PATH: searchPath() }, stdio: ['pipe', 'pipe', 'ignore'] });
    bench.atEnd(() => void child.kill());
    terminals.push(await toTerminal(child));
  }
  return terminals;
}

async function toTerminal(child: ChildProcess): Promise<Terminal> {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('ssh has no pipes');
  let output = '';
  let onOutput: (bytes: Buffer) => void = (bytes) => (output += bytes.toString());
  stdout.on('data', (bytes: Buffer) => onOutput(bytes));
  const death = once(child, 'exit').then(() => Promise.reject(new Error(`ssh ended: ${output}`)));
  await Promise.race([until(() => output.includes(echoMarker)), death]);
  death.catch(() => undefined);
  return {
    send: (byte) => void stdin.write(byte),
    listen: (newListener) => (onOutput = newListener),
    close: () => void child.kill(),
  };
}

/** Measures the time from each key to its echo. All terminals type at the same pace, each with its own offset. */
async function measureEchoes(terminals: readonly Terminal[], rounds: number): Promise<number[]> {
  const times: number[] = [];
  const typing = terminals.map(async (terminal, index) => {
    await sleep((everyMs * index) / terminals.length);
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now();
      const echo = new Promise<void>((resolve) => terminal.listen(() => resolve()));
      terminal.send('x');
      await echo;
      const duration = performance.now() - startedAt;
      times.push(duration);
      await sleep(Math.max(0, everyMs - duration));
    }
  });
  await Promise.all(typing);
  return times;
}
