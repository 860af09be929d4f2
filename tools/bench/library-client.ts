import { once } from 'node:events';
import { type ProgramName, type Started, startProgram } from './programs';
import type { Host } from './ssh-client';
import type { Workbench } from './workbench';

/** Runs one of our libraries in a separate process, so that its processor time and memory can be measured. */
export class LibraryClient<T extends object, D> {
  private constructor(private readonly started: Started) {}

  static async start<T extends object, D>(
    bench: Workbench,
    name: ProgramName,
    host: Host,
  ): Promise<LibraryClient<T, D>> {
    return new LibraryClient(await startProgram(bench, name, { VIGIE_BENCH_SSH: JSON.stringify(host) }));
  }

  async run(task: T): Promise<D> {
    const { process: child, exited } = this.started.running;
    child.send(task);
    const death = exited.then(({ code }) => Promise.reject(new Error(`the client ended with ${code}`)));
    const [result] = await Promise.race([once(child, 'message'), death]);
    return result as D;
  }

  stop(): Promise<void> {
    return this.started.stop();
  }
}
