import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { noteStart } from './counts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
export const distFile = (program: string) => `${root}dist/${program}`;

/** One process of the built product, as the starter runs it. */
export class TestProcess {
  /** All that it printed. */
  output = '';
  private readonly child: ChildProcess;
  private readonly printed: Promise<unknown>;

  constructor(program: string, env: Record<string, string>) {
    noteStart('services');
    this.child = spawn(process.execPath, [distFile(program)], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const collect = async (stream: Readable | null) => {
      for await (const text of stream?.setEncoding('utf8') ?? []) this.output += text;
    };
    this.printed = Promise.all([collect(this.child.stdout), collect(this.child.stderr)]);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the process did not start');
    return this.child.pid;
  }

  /** Resolves when the process serves; rejects with what it printed when it stopped instead. */
  async ready(): Promise<this> {
    const stopped = this.exit().then((code) => {
      throw new Error(`stopped with ${code} before it was ready:\n${this.output}`);
    });
    await Promise.race([once(this.child, 'message'), stopped]);
    stopped.catch(() => undefined);
    return this;
  }

  /** The exit code, once its output is complete. */
  async exit(): Promise<number | null> {
    // Not 'close': after an explicit disconnect Node never emits it.
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    await this.printed;
    return this.child.exitCode;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.child.kill(signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await this.exit();
  }

  /** Ends the channel to the starter, as its death does. */
  orphan(): void {
    this.child.disconnect();
  }
}
