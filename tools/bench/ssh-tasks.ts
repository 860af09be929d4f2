import { once } from 'node:events';
import type { SshTarget } from '@vigie/ssh/target';
import { type Started, startProgram } from './programs';
import type { Workbench } from './workbench';

/** What the program beside the bench does with libs/ssh. */
export type Task =
  | { kind: 'warm' | 'cold'; count: number }
  | { kind: 'fleet'; hosts: number }
  | { kind: 'download'; path: string; file: string; bytes: number; channels: number }
  | { kind: 'upload'; file: string; path: string };

export type Done = {
  /** Of each command, connection or transfer, in milliseconds. */
  times: number[];
  /** Of the whole task: all threads, user and system. */
  cpuMs: number;
  /** The most that the process ever held. */
  peakMegabytes: number;
  /** What a user would have seen. */
  failures: string[];
  /** Of what was transferred, as libs/ssh hashed it on the way. */
  sha256: string;
};

export type Host = Omit<SshTarget, 'mayConnect'>;

/** A process with libs/ssh in it, so that its CPU time and memory are of nothing else. */
export class OwnClient {
  private constructor(private readonly started: Started) {}

  static async start(bench: Workbench, host: Host): Promise<OwnClient> {
    return new OwnClient(await startProgram(bench, 'ssh-client', { VIGIE_BENCH_SSH: JSON.stringify(host) }));
  }

  async run(task: Task): Promise<Done> {
    const { process: child, exited } = this.started.running;
    child.send(task);
    const death = exited.then(({ code }) => Promise.reject(new Error(`the SSH client ended with ${code}`)));
    const [done] = await Promise.race([once(child, 'message'), death]);
    return done as Done;
  }

  stop(): Promise<void> {
    return this.started.stop();
  }
}
