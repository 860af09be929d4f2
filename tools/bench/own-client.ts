import { once } from 'node:events';
import { type ProgramName, type Started, startProgram } from './programs';
import type { Host } from './ssh-tasks';
import type { Workbench } from './workbench';

/** A process with a library of ours in it and a way to a host, so that its CPU time and memory are of nothing else. */
export class OwnClient<T extends object, D> {
  private constructor(private readonly started: Started) {}

  static async start<T extends object, D>(bench: Workbench, name: ProgramName, host: Host): Promise<OwnClient<T, D>> {
    return new OwnClient(await startProgram(bench, name, { VIGIE_BENCH_SSH: JSON.stringify(host) }));
  }

  async run(task: T): Promise<D> {
    const { process: child, exited } = this.started.running;
    child.send(task);
    const death = exited.then(({ code }) => Promise.reject(new Error(`the client ended with ${code}`)));
    const [done] = await Promise.race([once(child, 'message'), death]);
    return done as D;
  }

  stop(): Promise<void> {
    return this.started.stop();
  }
}
