import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runCommand } from '../start/command';
import { searchPath } from '../start/env';
import { Refusal, fr } from '../terminal';
import { type Stage, login, openRelay } from './ssh-stage';
import { LibraryClient } from './library-client';
import type { TaskResult, Task } from './ssh-tasks';
import { median } from './statistics';
import type { Workbench } from './workbench';

const mebibyte = 1_048_576;
export const roundTripMs = 50;
export const channels = 3;

export type Transfer = {
  kind: 'download' | 'upload' | 'far';
  bytes: number;
  ownMs: number;
  /** The goal applies to the first rival. */
  rivals: { name: string; ms: number }[];
  peakMegabytes: number;
};
type Plan = { sizes: { near: number; far: number }; rounds: number };

/**
 * Measures each transfer from the connection to the closed file. Both files are then compared, outside the measured
 * time.
 */
export async function measureTransfers(bench: Workbench, stage: Stage, { sizes, rounds }: Plan): Promise<Transfer[]> {
  const { files, sshd } = stage;
  const relay = await openRelay(bench, stage, roundTripMs);
  const ssh = ['ssh', ...stage.options(sshd.port), login];
  const far = ['ssh', ...stage.options(relay), login];
  const [source, copy] = [join(files, 'source'), join(files, 'copy')];
  const scp = ['scp', ...stage.options(sshd.port), `${login}:${source}`, copy];
  const hash = ['-c', '"$@" && openssl dgst -sha256 "$0"', copy, ...scp];
  const measure = (kind: Transfer['kind'], bytes: number, task: Task, rivals: readonly Rival[]) =>
    alternate(bench, { ...stage, host: { ...stage.host, port: kind === 'far' ? relay : sshd.port } }, rounds, {
      kind,
      bytes,
      task,
      rivals,
    });
  await writeNoise(source, sizes.near);
  const near = [
    await measure(
      'download',
      sizes.near,
      { kind: 'download', path: source, file: copy, bytes: sizes.near, channels: 1 },
      [
        { name: 'scp', command: scp },
        { name: 'scp, puis empreinte', command: ['sh', ...hash] },
      ],
    ),
    await measure('upload', sizes.near, { kind: 'upload', file: source, path: copy }, [
      { name: 'ssh cat', command: ['sh', '-c', 'exec "$@" <"$0"', source, ...ssh, `cat >${copy}`] },
      {
        name: 'ssh cat, puis empreinte',
        command: ['sh', '-c', '"$@" <"$0" && openssl dgst -sha256 "$0"', source, ...ssh, `cat >${copy}`],
      },
    ]),
  ];
  await writeNoise(source, sizes.far);
  const task: Task = { kind: 'download', path: source, file: copy, bytes: sizes.far, channels };
  const cat = { name: 'ssh cat', command: ['sh', '-c', 'exec "$@" >"$0"', copy, ...far, `cat ${source}`] };
  return [...near, await measure('far', sizes.far, task, [cat])];
}

type Rival = { name: string; command: readonly string[] };
type Race = { kind: Transfer['kind']; bytes: number; task: Task; rivals: readonly Rival[] };

async function alternate(bench: Workbench, { host, files }: Stage, rounds: number, race: Race): Promise<Transfer> {
  const { kind, bytes, task, rivals } = race;
  const client = await LibraryClient.start<Task, TaskResult>(bench, 'ssh-client', host);
  const [source, copy] = [join(files, 'source'), join(files, 'copy')];
  const expectedHash = await hashFile(source);
  const check = async (name: string, actualHash = expectedHash) => {
    if ((await hashFile(copy)) !== expectedHash || actualHash !== expectedHash)
      throw new Refusal(fr`${name} : l’empreinte de la copie n’est pas celle de l’original.`);
    rmSync(copy);
  };
  const titles = { download: fr`télécharge`, upload: fr`envoie`, far: fr`télécharge de loin` };
  const results: TaskResult[] = [];
  const times = rivals.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    bench.signal.throwIfAborted();
    bench.step(fr`${titles[kind]}, tour ${round + 1} sur ${rounds}`);
    const result = await client.run(task);
    await check('Vigie', result.sha256);
    results.push(result);
    for (const [
      index,
      {
        name,
        command: [file = '', ...args],
      },
    ] of rivals.entries()) {
      const startedAt = performance.now();
      await runCommand(file, args, { env: { PATH: searchPath() } });
      times[index]?.push(performance.now() - startedAt);
      await check(name);
    }
  }
  await client.stop();
  return {
    kind,
    bytes,
    ownMs: median(results.map((result) => result.times[0] ?? Number.NaN)),
    rivals: rivals.map(({ name }, index) => ({ name, ms: median(times[index] ?? []) })),
    peakMegabytes: Math.max(...results.map((result) => result.peakMegabytes)),
  };
}

/** Writes random bytes, which cannot be compressed. */
async function writeNoise(file: string, bytes: number): Promise<void> {
  await pipeline(async function* () {
    for (let written = 0; written < bytes; written += mebibyte) yield randomFillSync(Buffer.allocUnsafe(mebibyte));
  }, createWriteStream(file));
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: mebibyte }), hash);
  return hash.digest('hex');
}
