import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countStart } from './counts';
import { isAlive, sendTo } from './signals';
import { until } from './until';

const root = fileURLToPath(new URL('../../../', import.meta.url));
export const distFile = (program: string) => `${root}dist/${program}`;

/** What the next test file needs to find a process again. */
export type RunningProcess = { pid: number; log: string };

/** A process of the built product, run as the starter runs it. */
export class TestProcess {
  private printed: string | undefined;

  private constructor(
    private readonly running: RunningProcess,
    private readonly child?: ChildProcess,
  ) {}

  /** Starts a process that prints into a file of this folder. */
  static start(program: string, env: Record<string, string>, folder: string): TestProcess {
    countStart('services');
    const log = join(folder, `printed-${randomUUID()}`);
    const file = openSync(log, 'a');
    const child = spawn(process.execPath, [distFile(program)], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', file, file, 'ipc'],
    });
    closeSync(file);
    if (child.pid === undefined) throw new Error(`${program} did not start`);
    return new TestProcess({ pid: child.pid, log }, child);
  }

  /** Takes over a process that an earlier test file of the same worker left running. */
  static takeOver(running: RunningProcess): TestProcess {
    return new TestProcess(running);
  }

  get pid(): number {
    return this.running.pid;
  }

  get output(): string {
    return this.printed ?? readFileSync(this.running.log, 'utf8');
  }

  /** Resolves when the process is ready; rejects with its output when it stops instead. */
  async ready(): Promise<this> {
    if (!this.child) return this;
    const stopped = this.exit().then((code) => {
      throw new Error(`stopped with ${code} before it was ready:\n${this.output}`);
    });
    await Promise.race([once(this.child, 'message'), stopped]);
    stopped.catch(() => undefined);
    return this;
  }

  /** Waits for the exit and returns its code; null for a process taken over from another file. */
  async exit(): Promise<number | null> {
    const { child } = this;
    if (!child) await until(() => !this.isAlive());
    // Not 'close', which Node never emits after an explicit disconnect.
    else if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    this.printed ??= readFileSync(this.running.log, 'utf8');
    return child?.exitCode ?? null;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.child) this.child.kill(signal);
    else sendTo(this.pid, signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await this.exit();
  }

  /** Closes the channel to the starter, as the starter's death would. */
  disconnectStarter(): void {
    this.child?.disconnect();
  }

  isAlive(): boolean {
    return isAlive(this.pid);
  }

  /** Leaves the process to the next test file; it ends with its worker. */
  leaveRunning(): RunningProcess {
    this.child?.unref();
    this.child?.channel?.unref();
    return this.running;
  }
}
