import { once } from 'node:events';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { connect } from '@vigie/ssh/connection';
import { exec } from '@vigie/ssh/exec';
import { SshPool } from '@vigie/ssh/pool';
import { downloadStriped } from '@vigie/ssh/stripes';
import type { SshTarget } from '@vigie/ssh/target';
import { download, upload } from '@vigie/ssh/transfer';

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

const host: Host = JSON.parse(process.env['VIGIE_BENCH_SSH'] ?? '{}');
const target: SshTarget = { ...host, mayConnect: () => true };
const pool = new SshPool();

type Result = Pick<TaskResult, 'times'> & Partial<TaskResult>;

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  times.push(performance.now() - startedAt);
  return result;
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<Result> {
  const times: number[] = [];
  for (let run = 0; run < count; run++) await timed(times, work);
  return { times };
}

const runTrue = async (key: string) => {
  const { outcome, code } = await pool.use(key, target, (connection) => exec(connection, 'true'));
  if (outcome !== 'succeeded') throw new Error(`true: ${outcome} ${code}`);
};

/** Waits for the closed connection, as an `ssh` process does. */
async function connectAndRun(): Promise<void> {
  const connection = await connect(target);
  const { outcome } = await exec(connection, 'true');
  await connection.close();
  if (outcome !== 'succeeded') throw new Error(`true: ${outcome}`);
}

async function runFleet(hosts: number): Promise<Result> {
  const failures: string[] = [];
  const fail = (error: unknown) => void failures.push(String(error));
  const runAll = () => Promise.all(Array.from({ length: hosts }, (_, index) => runTrue(`${index}`).catch(fail)));
  const times: number[] = [];
  await timed(times, runAll);
  await Promise.all(Array.from({ length: hosts }, (_, index) => pool.forget(`${index}`)));
  return { times, failures };
}

async function fetchFile({ path, file, bytes: size, channels }: Extract<Task, { kind: 'download' }>): Promise<Result> {
  const times: number[] = [];
  const { sha256 } = await timed(times, async () => {
    const connection = await connect(target);
    const out = createWriteStream(file, { highWaterMark: 1_048_576 });
    const writeChunk = (bytes: Buffer) => (out.write(bytes) ? undefined : once(out, 'drain').then(() => undefined));
    const fetch = channels > 1 ? downloadStriped : download;
    const transferred = await fetch(connection, path, writeChunk, { bytes: size, channels });
    out.end();
    await once(out, 'close');
    await connection.close();
    return transferred;
  });
  return { times, sha256 };
}

async function sendFile({ path, file }: Extract<Task, { kind: 'upload' }>): Promise<Result> {
  const times: number[] = [];
  const { sha256 } = await timed(times, async () => {
    const connection = await connect(target);
    const transferred = await upload(connection, path, createReadStream(file, { highWaterMark: 262_144 }));
    await connection.close();
    return transferred;
  });
  return { times, sha256 };
}

function runTask(task: Task): Promise<Result> {
  if (task.kind === 'fleet') return runFleet(task.hosts);
  if (task.kind === 'download') return fetchFile(task);
  if (task.kind === 'upload') return sendFile(task);
  return repeat(task.count, task.kind === 'warm' ? () => runTrue('warm') : connectAndRun);
}

/** The maximum that `resourceUsage` tells may be that of the parent process. */
const peakKilobytes = () => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);

async function answer(task: Task): Promise<void> {
  const before = process.cpuUsage();
  const result = await runTask(task);
  const { user, system } = process.cpuUsage(before);
  const peakMegabytes = (peakKilobytes() * 1024) / 1e6;
  const defaults = { failures: [], sha256: '', cpuMs: (user + system) / 1000, peakMegabytes };
  process.send?.({ ...defaults, ...result } satisfies TaskResult);
}

process.on('message', (task: Task) => void answer(task));
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
