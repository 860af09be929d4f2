import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

export type Ended = { code: number | null; output: string };
export type Child = {
  ended: Promise<Ended>;
  /** What it printed so far. */
  output(): string;
  /** SIGTERM to the process alone, so that it can end its own children; SIGKILL to the group of one that does not. */
  stop(): Promise<Ended>;
};

type Options = { env?: NodeJS.ProcessEnv; timeoutMs?: number };

/** Children in process groups of their own: whatever a child leaves behind ends with it. */
export class Children {
  readonly #living = new Set<Child>();

  start(command: string, args: readonly string[], { env = process.env, timeoutMs = 0 }: Options = {}): Child {
    const chunks: string[] = [];
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => chunks.push(text));
    const print = (sentence: string) => chunks.push(`\n${sentence}\n`);
    const ended = new Promise<Ended>((resolve) => {
      child.once('error', (error) => resolve({ code: null, output: `${command}: ${error.message}` }));
      child.once('exit', () => {
        killGroup(child.pid);
        // One that left the group may still hold the pipes.
        setTimeout(() => [child.stdout, child.stderr].map((stream) => stream.destroy()), 1_000).unref();
      });
      child.once('close', (code, signal) => {
        if (signal) print(`Arrêté par ${signal}.`);
        resolve({ code, output: chunks.join('') });
      });
    });
    const stop = () => {
      child.kill('SIGTERM');
      return Promise.race([ended, sleep(graceMs, undefined, { ref: false })]).then((end) => {
        if (!end) print(`Toujours là ${graceMs / 1000} s après SIGTERM.`);
        if (!end) killGroup(child.pid);
        return ended;
      });
    };
    const started: Child = { ended, stop, output: () => chunks.join('') };
    this.#living.add(started);
    const timer =
      timeoutMs > 0
        ? setTimeout(() => (print(`Toujours pas fini après ${timeoutMs / 1000} s.`), void stop()), timeoutMs)
        : undefined;
    void ended.then(() => {
      clearTimeout(timer);
      this.#living.delete(started);
    });
    return started;
  }

  run(command: string, args: readonly string[], options?: Options): Promise<Ended> {
    return this.start(command, args, options).ended;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#living].map((child) => child.stop()));
  }
}

/** What `npm start` promises is 10 s. */
const graceMs = 20_000;

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in the group.
  }
}
