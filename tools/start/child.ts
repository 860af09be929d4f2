import { type ChildProcess, type StdioOptions, execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markOf, thisProcess } from '../lock.mjs';
import { logFile, openLog, sizeOf } from './logs';

export type User = { uid: number; gid: number };

export type Program = {
  /** Of its log and its pid file. */
  name: string;
  /** What the operator reads. */
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

export type Running = {
  program: Program;
  process: ChildProcess;
  /** Where the lines of this life begin in the log. */
  logStart: number;
  startedAt: number;
  exited: Promise<Exit>;
};

export const pidFile = (home: string, name: string) => join(home, 'run', `${name}.json`);

/** Starts a program in a process group of its own: the terminal's Ctrl-C reaches the starter alone, which stops in order. */
export function launch(home: string, program: Program): Running {
  const log = openLog(home, program.name);
  const logStart = sizeOf(logFile(home, program.name));
  const [file, ...args] = [...dyingWithParent(program.stopSignal ?? 'SIGTERM'), program.file, ...program.args];
  const stdio: StdioOptions = program.hasChannel ? ['ignore', log, log, 'ipc'] : ['ignore', log, log];
  const { cwd, env, user } = program;
  const child = spawn(file ?? program.file, args, { cwd, env, stdio, detached: true, ...user });
  closeSync(log);
  note(home, program.name, child.pid);
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  void exited.then(() => rmSync(pidFile(home, program.name), { force: true }));
  return { program, process: child, logStart, startedAt: performance.now(), exited };
}

/** Asks it to stop, and after `graceMs` makes it. */
export async function stopRunning({ program, process: child, exited }: Running, graceMs: number): Promise<void> {
  child.kill(program.stopSignal ?? 'SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(killer);
}

/** So that the next start can find, and stop, what a killed starter may leave. */
function note(home: string, name: string, pid: number | undefined): void {
  if (pid === undefined) return;
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
  writeFileSync(pidFile(home, name), JSON.stringify({ pid, mark: markOf(pid), starter: thisProcess() }), {
    mode: 0o600,
  });
}

let setpriv: boolean | undefined;

/** Where the system has it: what runs is told to stop the moment the starter dies, even by kill -9. */
function dyingWithParent(signal: string): string[] {
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
