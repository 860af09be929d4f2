import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { runScript } from '@vigie/ssh/script';
import { downloadFrom } from '@vigie/ssh/transfer';
import { deploy, run } from '@vigie/testing/fleet/machine';
import { contentOf } from '@vigie/testing/fleet/sites';
import { readArchive, statArchive } from '@vigie/wordpress/backups';
import { Archive } from '@vigie/wpress/read-archive';
import { verifyArchive } from '@vigie/wpress/verify-archive';
import { fr } from '../terminal';
import {
  type Backup,
  benchSizes,
  createBackup,
  setStage,
  type Stage,
  summarizeWork,
  tarAndDump,
  type Work,
} from './backup-stage';
import { measure, type Measure, type Part, timed } from './measure';
import { aim, megabytes, milliseconds, number, preciseSeconds, ratioTo } from './report';
import { opensshOptions } from './ssh-stage';
import { median } from './statistics';
import type { Workbench } from './workbench';

const mebibyte = 1_048_576;
/** The highest ratios to the usual tools. */
const maxRatios = { pack: 1, backup: 1.3, copy: 1.2 };

const legend = fr`
  De vraies commandes sur un vrai site : la sauvegarde va de l’ordre à la fin de l’opération, la copie jusqu’au disque,
  comparée à l’empreinte que le serveur a calculée pendant ce temps ; tar et mariadb-dump n’ont ni l’une ni l’autre.`;

/** Measures how long a backup is created, listed, copied and read, compared with the usual tools. */
export const backups: Part = async (bench, isQuick) => {
  const sizes = benchSizes(isQuick);
  const stage = await setStage(bench, sizes);
  const archive = new LastBackup(stage);
  return [packing(stage, archive, sizes), copying(archive, await openCopy(bench, stage, archive), sizes.rounds)];
};

/** The archive that the last round made; the host keeps no other. */
class LastBackup {
  private last: Backup | undefined;

  constructor(private readonly stage: Stage) {}

  get value(): Backup {
    if (!this.last) throw new Error('there is no backup');
    return this.last;
  }

  async replace(): Promise<Backup> {
    if (this.last) rmSync(join(this.stage.folder, this.last.name));
    return (this.last = await createBackup(this.stage));
  }
}

function packing(stage: Stage, archive: LastBackup, { files, rounds }: ReturnType<typeof benchSizes>): Measure {
  let dumpBytes = 0;
  const rivalWork = async (): Promise<Work> => {
    const work = await tarAndDump(stage);
    ({ dumpBytes } = work);
    return work;
  };
  return measure({
    title: fr`Sauvegarde d’un site de ${number(files)} fichiers`,
    contenders: {
      rival: { name: 'tar + mariadb-dump', run: rivalWork },
      vigie: { name: fr`Vigie, la sauvegarde entière`, run: (): Promise<Work> => archive.replace() },
    },
    rounds,
    summarize: summarizeWork,
    columns: ({ rival }) => [
      ['temps', ({ ms }) => preciseSeconds(ms)],
      ['débit', ({ ms }) => speed(archive.value.size, ms)],
      ['rapport', ratioTo(rival, ({ ms }) => ms)],
    ],
    lines: ({ rival, vigie }) => [
      fr`une archive de ${megabytes(archive.value.size)}, pour ${megabytes(dumpBytes)} de base`,
      fr`tar ${preciseSeconds(rival.filesMs)}, mariadb-dump ${preciseSeconds(rival.databaseMs)}`,
      aim(fr`archive`, vigie.packMs / rival.ms, '≤', maxRatios.pack),
      aim(fr`sauvegarde entière`, vigie.ms / rival.ms, '≤', maxRatios.backup),
      aim(fr`mémoire de PHP`, archive.value.memory, '≤', 32 * mebibyte, megabytes),
    ],
  });
}

const speed = (bytes: number, ms: number) => `${number(bytes / mebibyte / (ms / 1000))}\u00a0Mo/s`;

const copying = (archive: LastBackup, copy: Awaited<ReturnType<typeof openCopy>>, rounds: number): Measure =>
  measure({
    title: fr`La même archive copiée et lue`,
    contenders: {
      scp: { name: 'scp', run: copy.byScp },
      copy: { name: fr`Vigie, la copie avec ses empreintes`, run: copy.byVigie },
      list: { name: fr`Vigie, la liste`, run: copy.list, isHidden: true },
      verify: { name: fr`Vigie, la vérification`, run: copy.verify },
    },
    rounds,
    summarize: (samples) => ({
      ms: median(samples.map(({ ms }) => ms)),
      growth: Math.max(...samples.map(({ growth = 0 }) => growth)),
    }),
    columns: ({ scp }) => [
      ['temps', ({ ms }) => preciseSeconds(ms)],
      ['débit', ({ ms }) => speed(archive.value.size, ms)],
      ['rapport', ratioTo(scp, ({ ms }) => ms)],
    ],
    lines: ({ scp, copy: own, list }) => [
      aim(fr`copie`, own.ms / scp.ms, '≤', maxRatios.copy),
      aim(fr`liste de ${number(archive.value.entries)} entrées`, list.ms, '<', 1_000, milliseconds),
      fr`mémoire de l’agent pendant la copie : +${megabytes(own.growth)}`,
    ],
    note: legend,
  });

type CopyTime = { ms: number; growth?: number };

/** Opens the store into which the archive is copied, and lists what is measured on the copy. */
async function openCopy(bench: Workbench, stage: Stage, archive: LastBackup) {
  const { host } = stage.fleet;
  const store = await DiskStore.open(pathToFileURL(join(bench.folder, 'store')).href);
  const key = FileStore.newKey();
  const target = join(bench.folder, 'copy.wpress');
  const options = opensshOptions(bench, host)(host.port);
  const read = async (work: (reader: Reader) => Promise<unknown>): Promise<CopyTime> => {
    const reader = await store.reader(key);
    if (!reader) throw new Error('the copy is missing');
    try {
      return await timed(() => work(reader));
    } finally {
      await reader.close();
    }
  };
  return {
    byScp: async (): Promise<CopyTime> => {
      const source = `${deploy.name}@127.0.0.1:${stage.folder}/${archive.value.name}`;
      return timed(() => run('scp', [...options, source, target])).finally(() => rmSync(target, { force: true }));
    },
    byVigie: async (): Promise<CopyTime> => {
      await store.delete(key);
      return watchMemory(() => download(stage, archive.value, store, key));
    },
    list: () => read(async (reader) => countEntries(await Archive.open(reader))),
    verify: () => read(verifyArchive),
  };
}

type Reader = Parameters<typeof verifyArchive>[0];

async function countEntries(archive: Archive): Promise<number> {
  let count = 0;
  for await (const entry of archive.entries()) count += entry.size > 0 ? 1 : 0;
  return count;
}

async function watchMemory(work: () => Promise<void>): Promise<CopyTime> {
  const before = process.memoryUsage.rss();
  let max = before;
  const watch = setInterval(() => (max = Math.max(max, process.memoryUsage.rss())), 20);
  const { ms } = await timed(work).finally(() => clearInterval(watch));
  return { ms, growth: max - before };
}

async function download({ site, connection }: Stage, { name, size }: Backup, store: FileStore, key: string) {
  const context = { path: site.path, content: contentOf(site), php: '/usr/bin/php' };
  const host = { run: (script: string, options: object) => runScript(connection, script, options) };
  const incoming = await store.resume(key);
  const { script, args } = readArchive(context, name, 0);
  const [transferred, archive] = await Promise.all([
    downloadFrom(connection, script, (bytes) => incoming.add(bytes), { args }),
    statArchive(host, context, { name, isHashed: true }),
  ]);
  if (transferred.bytes !== size || transferred.sha256 !== archive?.sha256)
    throw new Error('the copy differs from the archive');
  await incoming.finish();
}
