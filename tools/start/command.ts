import { type ChildProcess, spawn } from 'node:child_process';
import type { User } from './child';

type Options = {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  user?: User | undefined;
  input?: string;
  onOutput?: ((text: string) => void) | undefined;
  /** A critical command is not interrupted: a stop waits for its end. */
  isCritical?: boolean;
};

let isStopped = false;
const running = new Map<ChildProcess, { isCritical: boolean; ended: Promise<unknown> }>();

/** Runs a command in its own process group; resolves to its output, or rejects with a CommandError that holds it. */
export function runCommand(file: string, args: readonly string[], options: Options = {}): Promise<string> {
  if (isStopped) return Promise.reject(new Error('no more commands'));
  const { cwd, env, user, input = '', onOutput, isCritical = false } = options;
  const child = spawn(file, args, { cwd, env, ...user, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let printed = '';
  const onData = (bytes: Buffer) => {
    printed += bytes.toString();
    onOutput?.(bytes.toString());
  };
  child.stdout.on('data', onData);
  child.stderr.on('data', onData);
  child.stdin.on('error', () => {}).end(input);
  const result = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(printed) : reject(new CommandError(file, code, printed))));
  });
  const ended = result.catch(() => {}).finally(() => running.delete(child));
  running.set(child, { isCritical, ended });
  return result;
}

export class CommandError extends Error {
  constructor(
    file: string,
    readonly code: number | null,
    readonly printed: string,
  ) {
    super(`${file}: ${printed.trim().split('\n').slice(-3).join(' ') || `code ${code}`}`);
  }
}

/** Ends the running commands, waits for them, and refuses new ones. */
export async function stopCommands(): Promise<void> {
  isStopped = true;
  for (const [child, { isCritical }] of running) if (!isCritical && child.pid) killGroup(child.pid);
  await Promise.all([...running.values()].map(({ ended }) => ended));
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // The process has ended meanwhile.
  }
}
