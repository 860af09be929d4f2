import type { SshTarget } from '@vigie/ssh/target';

export type Task =
  | { kind: 'warm' | 'cold'; count: number }
  | { kind: 'fleet'; hosts: number }
  | { kind: 'download'; path: string; file: string; bytes: number; channels: number }
  | { kind: 'upload'; file: string; path: string };

export type TaskResult = {
  /** Milliseconds of each command, connection or transfer. */
  times: number[];
  /** User and system time of all threads. */
  cpuMs: number;
  /** Maximum memory of the process. */
  peakMegabytes: number;
  /** Errors that a user would see. */
  failures: string[];
  /** Hash that libs/ssh computed during the transfer. */
  sha256: string;
};

export type Host = Omit<SshTarget, 'mayConnect'>;
