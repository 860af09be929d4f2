import { createHash, randomFillSync } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runCommand } from '../start/command';
import { searchPath } from '../start/env';
import { Refusal, fr } from '../terminal';
import { measure, type Measure, timed } from './measure';
import { ask } from './programs';
import { aim, number, ratioOf } from './report';
import { login, openRelay, type Stage, startLibrary } from './ssh-stage';
import type { Task, TaskResult } from './ssh-client';
import { median } from './statistics';
import type { Workbench } from './workbench';

const mebibyte = 1_048_576;
const roundTripMs = 50;
const channels = 3;

const legend = fr`
  Connexion comprise, de fichier à fichier, en mémoire (/dev/shm) s’il y a la place, aes128-gcm des deux côtés, rondes
  alternées. Vigie calcule toujours l’empreinte SHA-256 de ce qui passe ; scp et ssh ne le font pas : la ligne « puis
  empreinte » leur fait faire le même travail, par openssl. Rapport : la vitesse de Vigie sur celle de l’autre.
  À ${roundTripMs} ms : un relais retarde chaque sens de ${roundTripMs / 2} ms sans limiter le débit ; Vigie lit par ${channels} canaux d’une connexion.
  Après chaque transfert, l’empreinte de la copie est comparée à celle de l’original. Mémoire : le plus haut du processus.`;

type Source = { path: string; bytes: number; sha256: string };
type Rival = { name: string; command: readonly string[] };
type Transfer = {
  title: string;
  source: Source;
  copy: string;
  port: number;
  task: Task;
  /** The goal applies to the first of them. */
  rivals: readonly Rival[];
  minRatio: number;
  note?: string;
};
type Plan = { sizes: { near: number; far: number }; rounds: number };

/** Measures each transfer from the connection to the closed file. Both files are compared outside the measured time. */
export async function transfers(bench: Workbench, stage: Stage, { sizes, rounds }: Plan): Promise<Measure[]> {
  const { files, sshd } = stage;
  const relay = await openRelay(bench, stage, roundTripMs);
  const [ssh, farSsh] = [sshd.port, relay].map((port) => ['ssh', ...stage.options(port), login]);
  const copy = join(files, 'copy');
  bench.step(fr`prépare les fichiers`);
  const near = await writeNoise(join(files, 'near'), sizes.near);
  const far = await writeNoise(join(files, 'far'), sizes.far);
  const scp = ['scp', ...stage.options(sshd.port), `${login}:${near.path}`, copy];
  const send = [near.path, ...(ssh ?? []), `cat >${copy}`];
  const fetchFar = ['sh', '-c', 'exec "$@" >"$0"', copy, ...(farSsh ?? []), `cat ${far.path}`];
  const ofNear = { source: near, copy, port: sshd.port, minRatio: 0.6 };
  const all: Transfer[] = [
    {
      title: fr`lire ${formatSize(near)}`,
      ...ofNear,
      task: { kind: 'download', path: near.path, file: copy, bytes: near.bytes, channels: 1 },
      rivals: [
        { name: 'scp', command: scp },
        { name: 'scp, puis empreinte', command: ['sh', '-c', '"$@" && openssl dgst -sha256 "$0"', copy, ...scp] },
      ],
    },
    {
      title: fr`écrire ${formatSize(near)}`,
      ...ofNear,
      task: { kind: 'upload', file: near.path, path: copy },
      rivals: [
        { name: 'ssh cat', command: ['sh', '-c', 'exec "$@" <"$0"', ...send] },
        {
          name: 'ssh cat, puis empreinte',
          command: ['sh', '-c', '"$@" <"$0" && openssl dgst -sha256 "$0"', ...send],
        },
      ],
    },
    {
      title: fr`lire ${formatSize(far)} à ${roundTripMs} ms`,
      source: far,
      copy,
      port: relay,
      minRatio: 0.9,
      task: { kind: 'download', path: far.path, file: copy, bytes: far.bytes, channels },
      rivals: [{ name: 'ssh cat', command: fetchFar }],
      note: legend,
    },
  ];
  return Promise.all(all.map((transfer) => raceOf(bench, stage, rounds, transfer)));
}

/** Each transfer has a process of its own, whose highest use of memory is its own. */
async function raceOf(bench: Workbench, { host }: Stage, rounds: number, transfer: Transfer): Promise<Measure> {
  const { title, source, copy, port, task, rivals, minRatio, note } = transfer;
  const client = await startLibrary(bench, 'ssh-client', { ...host, port });
  const check = async (name: string, sha256 = source.sha256) => {
    if ((await hashFile(copy)) !== source.sha256 || sha256 !== source.sha256)
      throw new Refusal(fr`${name} : l’empreinte de la copie n’est pas celle de l’original.`);
    rmSync(copy);
  };
  const runOwn = async () => {
    const { times, sha256, peakMegabytes } = await ask<TaskResult>(client, task);
    await check('Vigie', sha256);
    return { ms: times[0] ?? Number.NaN, peakMegabytes };
  };
  const runRival = async ({ name, command: [file = '', ...args] }: Rival) => {
    const { ms } = await timed(() => runCommand(file, args, { env: { PATH: searchPath() } }));
    await check(name);
    return { ms, peakMegabytes: 0 };
  };
  const contenders = [
    { name: 'Vigie', run: runOwn },
    ...rivals.map((rival) => ({ name: rival.name, run: () => runRival(rival) })),
  ];
  return measure({
    title: fr`SSH : ${title}`,
    contenders: Object.fromEntries(contenders.map((contender) => [contender.name, contender])),
    rounds,
    summarize: (samples) => ({
      speed: source.bytes / 1000 / median(samples.map(({ ms }) => ms)),
      peakMegabytes: Math.max(...samples.map(({ peakMegabytes }) => peakMegabytes)),
    }),
    columns: (results) => [
      ['vitesse', ({ speed }) => `${number(speed)}\u00a0Mo/s`],
      ['Vigie vaut', (row) => ratioOf(results['Vigie'] ?? row, ({ speed }) => speed)(row)],
    ],
    lines: (results) => {
      const [own = Number.NaN, rival = Number.NaN] = Object.values(results).map(({ speed }) => speed);
      const peak = Math.max(...Object.values(results).map(({ peakMegabytes }) => peakMegabytes));
      return [
        aim(fr`rapport`, own / rival, '≥', minRatio),
        aim(fr`mémoire`, peak, '<', 150, (value) => `${number(value)}\u00a0Mo`),
      ];
    },
    ...(note !== undefined && { note }),
  });
}

const formatSize = ({ bytes }: Source) =>
  bytes >= 2 ** 30 ? `${number(bytes / 2 ** 30)}\u00a0Gio` : `${number(bytes / 2 ** 20)}\u00a0Mio`;

/** Writes random bytes, which cannot be compressed. */
async function writeNoise(path: string, bytes: number): Promise<Source> {
  const hash = createHash('sha256');
  await pipeline(async function* () {
    for (let written = 0; written < bytes; written += mebibyte) {
      const noise = randomFillSync(Buffer.allocUnsafe(mebibyte));
      hash.update(noise);
      yield noise;
    }
  }, createWriteStream(path));
  return { path, bytes, sha256: hash.digest('hex') };
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: mebibyte }), hash);
  return hash.digest('hex');
}
