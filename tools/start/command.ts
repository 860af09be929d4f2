import { type ChildProcess, spawn } from 'node:child_process';
import type { User } from './child';

type Options = {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  user?: User | undefined;
  input?: string;
  /** Called with what it prints as it goes. */
  onOutput?: ((text: string) => void) | undefined;
  /** Must not be cut short: a stop of the starter waits for it. */
  isCritical?: boolean;
};

let isOver = false;
const running = new Map<ChildProcess, { isCritical: boolean; over: Promise<unknown> }>();

/** Runs a command to its end in a process group of its own, and gives what it printed; throws that when it fails. */
export function runCommand(file: string, args: readonly string[], options: Options = {}): Promise<string> {
  if (isOver) return Promise.reject(new Error('no more commands'));
  const { cwd, env, user, input = '', onOutput, isCritical = false } = options;
  const child = spawn(file, args, { cwd, env, ...user, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let printed = '';
  const hear = (bytes: Buffer) => {
    printed += bytes.toString();
    onOutput?.(bytes.toString());
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  child.stdin.on('error', () => {}).end(input);
  const result = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(printed) : reject(new CommandError(file, code, printed))));
  });
  const over = result.catch(() => {}).finally(() => running.delete(child));
  running.set(child, { isCritical, over });
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

/** Ends what still runs, waits until it has, and begins nothing more. */
export async function stopCommands(): Promise<void> {
  isOver = true;
  for (const [child, { isCritical }] of running) if (!isCritical && child.pid) killGroup(child.pid);
  await Promise.all([...running.values()].map(({ over }) => over));
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It ended meanwhile.
  }
}
