import { type ChildProcess, type StdioOptions, execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markOf, thisProcess } from '../lock.mjs';
import { logFile, openLog, sizeOf } from './logs';

export type User = { uid: number; gid: number };

export type Program = {
  /** Names the log and the pid file. */
  name: string;
  /** The name that the operator reads. */
  title: string;
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  user?: User | undefined;
  hasChannel?: boolean;
  stopSignal?: 'SIGTERM' | 'SIGINT';
};

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

export type RunningProcess = {
  program: Program;
  process: ChildProcess;
  /** The offset in the log where the lines of this process begin. */
  logStart: number;
  startedAt: number;
  exited: Promise<Exit>;
};

export const pidFile = (home: string, name: string) => join(home, 'run', `${name}.json`);

/** Starts a program in its own process group, so that Ctrl-C reaches only the starter, which stops everything in order. */
export function launch(home: string, program: Program): RunningProcess {
  const log = openLog(home, program.name);
  const logStart = sizeOf(logFile(home, program.name));
  const [file, ...args] = [...parentDeathCommand(program.stopSignal ?? 'SIGTERM'), program.file, ...program.args];
  const stdio: StdioOptions = program.hasChannel ? ['ignore', log, log, 'ipc'] : ['ignore', log, log];
  const { cwd, env, user } = program;
  const child = spawn(file ?? program.file, args, { cwd, env, stdio, detached: true, ...user });
  closeSync(log);
  writePidFile(home, program.name, child.pid);
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  void exited.then(() => rmSync(pidFile(home, program.name), { force: true }));
  return { program, process: child, logStart, startedAt: performance.now(), exited };
}

/** Sends the stop signal, then SIGKILL after `graceMs`. */
export async function stopRunning({ program, process: child, exited }: RunningProcess, graceMs: number): Promise<void> {
  child.kill(program.stopSignal ?? 'SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(killer);
}

/** Lets the next start find and stop the processes that a killed starter leaves. */
function writePidFile(home: string, name: string, pid: number | undefined): void {
  if (pid === undefined) return;
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
  writeFileSync(pidFile(home, name), JSON.stringify({ pid, mark: markOf(pid), starter: thisProcess() }), {
    mode: 0o600,
  });
}

let setpriv: boolean | undefined;

/** Uses setpriv, where available, to signal the process when the starter dies, even by SIGKILL. */
function parentDeathCommand(signal: string): string[] {
  setpriv ??= hasSetpriv();
  return setpriv ? ['setpriv', '--pdeathsig', signal.slice('SIG'.length), '--'] : [];
}

function hasSetpriv(): boolean {
  try {
    return execFileSync('setpriv', ['--help'], { encoding: 'utf8' }).includes('--pdeathsig');
  } catch {
    return false;
  }
}
