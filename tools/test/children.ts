import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from './process-tree';

export type Ended = { code: number | null; output: string };
export type Child = {
  ended: Promise<Ended>;
  /** What it printed so far. */
  output(): string;
  /** Seconds of CPU that it and its descendants used, as of the last time that somebody looked. */
  cpu(): number;
  /** SIGTERM to the process alone, so that it can end its own children; SIGKILL to the group of one that does not. */
  stop(): Promise<Ended>;
};

type Options = {
  env?: NodeJS.ProcessEnv;
  /** What shows that it goes on: 'computing' where it prints little; services that run beside tests compute always. */
  movement?: 'printing' | 'computing' | 'none';
  stallMs?: number;
};

/** No limit ends a child that goes on, however slow the machine is: only one in which nothing has moved for so long. */
const threeMinutes = 180_000;
/** A process that only waits uses less of a processor than this: its timers fire. One that computes has more of it on any machine. */
const idleShare = 0.003;
/** What `npm start` promises is 10 s. */
const graceMs = 20_000;

/** Children in process groups of their own: whatever a child leaves behind ends with it. */
export class Children {
  readonly #living = new Set<Child>();
  readonly #all: Child[] = [];

  start(command: string, args: readonly string[], options: Options = {}): Child {
    const { env = process.env, movement = 'computing', stallMs = threeMinutes } = options;
    const chunks: string[] = [];
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => chunks.push(text));
    const print = (sentence: string) => chunks.push(`\n${sentence}\n`);
    const ended = endOf(child, command, chunks);
    const stop = () => {
      child.kill('SIGTERM');
      return Promise.race([ended, sleep(graceMs, undefined, { ref: false })]).then((end) => {
        if (!end) print(`Toujours là ${graceMs / 1000} s après SIGTERM.`);
        if (!end) killGroup(child.pid);
        return ended;
      });
    };
    let cpu = 0;
    let last = { cpu, chunks: 0, at: Date.now() };
    const look = () => {
      cpu = Math.max(cpu, cpuSeconds(child.pid ?? 0));
      const isComputing = movement === 'computing' && cpu - last.cpu > (idleShare * stallMs) / 1_000;
      if (isComputing || chunks.length > last.chunks) last = { cpu, chunks: chunks.length, at: Date.now() };
      else if (movement !== 'none' && Date.now() - last.at > stallMs) {
        clearInterval(timer);
        print(`Plus rien ne bouge depuis ${stallMs / 1000} s.`);
        void stop();
      }
    };
    const timer = setInterval(look, Math.min(2_000, stallMs));
    const started: Child = { ended, stop, output: () => chunks.join(''), cpu: () => cpu };
    this.#living.add(started);
    this.#all.push(started);
    void ended.then(() => {
      clearInterval(timer);
      this.#living.delete(started);
    });
    return started;
  }

  run(command: string, args: readonly string[], options?: Options): Promise<Ended> {
    return this.start(command, args, options).ended;
  }

  /** Seconds of CPU that all of them used, also those that have ended. */
  cpu(): number {
    return this.#all.reduce((total, child) => total + child.cpu(), 0);
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#living].map((child) => child.stop()));
  }
}

function endOf(child: ChildProcess, command: string, chunks: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, output: `${command}: ${error.message}` }));
    child.once('exit', () => {
      killGroup(child.pid);
      // One that left the group may still hold the pipes.
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
    // Nobody is left in the group.
  }
}
