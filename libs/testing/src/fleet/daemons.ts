import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { hostCommand } from '../host-root';
import type { Owner } from './machine';

const root: Owner = { name: 'root', uid: 0, gid: 0 };

type Daemon = { name: string; child: ChildProcess };

/** Servers that end with the process that started them, even when it is killed. */
export class Daemons {
  private readonly running: Daemon[] = [];

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  /** Starts a server and resolves once it listens on a local port or socket. */
  async start(name: string, at: number | string, [file = '', ...args]: readonly string[], as = root): Promise<void> {
    const log = openSync(this.log(name), 'a');
    const ids = [`--reuid=${as.uid}`, `--regid=${as.gid}`, '--clear-groups', '--pdeathsig', 'TERM', '--'];
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' };
    const command = hostCommand('setpriv', [...ids, file, ...args]);
    const child = spawn(...command, { stdio: ['ignore', log, log], detached: true, env });
    closeSync(log);
    this.running.push({ name, child });
    child.once('error', () => {});
    while (!(await isListening(at))) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${name} stopped:\n${readFileSync(this.log(name), 'utf8').slice(-4000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  log(name: string): string {
    return join(this.folder, `${name}.log`);
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.running.find((daemon) => daemon.name === name)?.child.kill(signal);
  }

  /** Stops one server and waits for its end, so that it can be started again. */
  async stopOne(name: string): Promise<void> {
    const daemon = this.running.find((candidate) => candidate.name === name);
    if (!daemon) return;
    this.running.splice(this.running.indexOf(daemon), 1);
    await stopAndWait(daemon.child);
  }

  async stop(): Promise<void> {
    for (const { child } of this.running.splice(0).toReversed()) await stopAndWait(child);
  }
}

async function stopAndWait(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const killer = setTimeout(() => child.kill('SIGKILL'), 8_000);
  child.kill('SIGTERM');
  await once(child, 'exit');
  clearTimeout(killer);
}

async function isListening(at: number | string): Promise<boolean> {
  if (typeof at === 'string' && !existsSync(at)) return false;
  const socket = typeof at === 'string' ? connect(at) : connect(at, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
