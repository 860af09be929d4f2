import type { SshTarget } from '@vigie/ssh/target';

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
