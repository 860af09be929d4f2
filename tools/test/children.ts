import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { processorMsOf } from '../proc';
import { descendantsOf } from '../processes.mjs';

export type ExitResult = { code: number | null; output: string };
export type Child = {
  ended: Promise<ExitResult>;
  output(): string;
  /** Seconds of CPU that the child and its descendants had used at the last check. */
  cpu(): number;
  /** Sends SIGTERM to the process, so that it can end its own children, and later SIGKILL to its group. */
  stop(): Promise<ExitResult>;
};

type Options = {
  env?: NodeJS.ProcessEnv;
  /** The sign of progress: use 'printing' where services beside the tests compute all the time. */
  movement?: 'printing' | 'computing' | 'none';
  stallMs?: number;
};

/** A child is stopped only after this long without progress, which is longer than the limit of any test or hook. */
const defaultStallMs = 660_000;
/** The share of a processor that the timers of a waiting process stay below, and that any computing process exceeds. */
const idleShare = 0.003;
/** `npm start` promises to stop within 10 s. */
const graceMs = 20_000;

/** Runs children in their own process groups, which are killed when the child ends. */
export class Children {
  readonly #living = new Set<Child>();
  readonly #all: Child[] = [];

  start(command: string, args: readonly string[], options: Options = {}): Child {
    const { env = process.env, movement = 'computing', stallMs = defaultStallMs } = options;
    const chunks: string[] = [];
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => chunks.push(text));
    const print = (sentence: string) => chunks.push(`\n${sentence}\n`);
    const ended = waitForExit(child, command, chunks);
    const stop = () => {
      child.kill('SIGTERM');
      return Promise.race([ended, sleep(graceMs, undefined, { ref: false })]).then((result) => {
        if (!result) print(`Toujours là ${graceMs / 1000} s après SIGTERM.`);
        if (!result) killGroup(child.pid);
        return ended;
      });
    };
    let cpu = 0;
    let last = { cpu, chunks: 0, at: Date.now() };
    const check = () => {
      cpu = Math.max(cpu, cpuSeconds(child.pid ?? 0));
      const isComputing = movement === 'computing' && cpu - last.cpu > (idleShare * stallMs) / 1_000;
      if (isComputing || chunks.length > last.chunks) last = { cpu, chunks: chunks.length, at: Date.now() };
      else if (movement !== 'none' && Date.now() - last.at > stallMs) {
        clearInterval(timer);
        print(`Plus rien ne bouge depuis ${stallMs / 1000} s.`);
        void stop();
      }
    };
    const timer = setInterval(check, Math.min(2_000, stallMs));
    const started: Child = { ended, stop, output: () => chunks.join(''), cpu: () => cpu };
    this.#living.add(started);
    this.#all.push(started);
    void ended.then(() => {
      clearInterval(timer);
      this.#living.delete(started);
    });
    return started;
  }

  run(command: string, args: readonly string[], options?: Options): Promise<ExitResult> {
    return this.start(command, args, options).ended;
  }

  /** Seconds of CPU that all children have used, including the ended ones. */
  cpu(): number {
    return this.#all.reduce((total, child) => total + child.cpu(), 0);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#living].map((child) => child.stop()));
  }
}

function waitForExit(child: ChildProcess, command: string, chunks: string[]): Promise<ExitResult> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, output: `${command}: ${error.message}` }));
    child.once('exit', () => {
      killGroup(child.pid);
      // A process that left the group may still hold the pipes.
      setTimeout(() => [child.stdout, child.stderr].map((stream) => stream?.destroy()), 1_000).unref();
    });
    child.once('close', (code, signal) => {
      if (signal) chunks.push(`\nArrêté par ${signal}.\n`);
      resolve({ code, output: chunks.join('') });
    });
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}

/** The CPU time in seconds of a process and its descendants, including ended ones; 0 if unknown. */
function cpuSeconds(root: number): number {
  const tree = [root, ...descendantsOf([root]).map(({ pid }) => pid)];
  return tree.reduce((total, pid) => total + processorMsOf(pid), 0) / 1000;
}
