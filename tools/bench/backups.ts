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
/** The highest ratio to the usual tools. */
const maxRatio = 1.2;

const legend = fr`
  De vraies commandes sur un vrai site : la sauvegarde va de l’ordre à la fin de l’opération, la copie jusqu’au disque,
  comparée à l’empreinte que le serveur a calculée pendant ce temps ; tar et mariadb-dump n’ont ni l’une ni l’autre.`;

/** Measures how long a backup is created, listed, copied and read, compared with the usual tools. */
export const backups: Part = async (bench, isQuick) => {
  const sizes = benchSizes(isQuick);
  const stage = await setStage(bench, sizes);
  const archive = new LastBackup(stage);
  return [packing(stage, archive, sizes), copying(archive, await Copy.prepare(bench, stage, archive), sizes.rounds)];
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
      aim(fr`sauvegarde`, vigie.ms / rival.ms, '≤', maxRatio),
      aim(fr`mémoire de PHP`, archive.value.memory, '≤', 32 * mebibyte, megabytes),
    ],
  });
}

const speed = (bytes: number, ms: number) => `${number(bytes / mebibyte / (ms / 1000))}\u00a0Mo/s`;

const copying = (archive: LastBackup, copy: Copy, rounds: number): Measure =>
  measure({
    title: fr`La même archive copiée et lue`,
    contenders: {
      scp: { name: 'scp', run: () => copy.byScp() },
      copy: { name: fr`Vigie, la copie avec ses empreintes`, run: () => copy.byVigie() },
      list: { name: fr`Vigie, la liste`, run: () => copy.list(), isHidden: true },
      verify: { name: fr`Vigie, la vérification`, run: () => copy.verify() },
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
      aim(fr`copie`, own.ms / scp.ms, '≤', maxRatio),
      aim(fr`liste de ${number(archive.value.entries)} entrées`, list.ms, '<', 1_000, milliseconds),
      fr`mémoire de l’agent pendant la copie : +${megabytes(own.growth)}`,
    ],
    note: legend,
  });

type CopyTime = { ms: number; growth?: number };

/** Copies the archive to this machine, and reads the copy. */
class Copy {
  private readonly key = FileStore.newKey();

  private constructor(
    private readonly stage: Stage,
    private readonly archive: LastBackup,
    private readonly store: FileStore,
    private readonly scp: { options: readonly string[]; copy: string },
  ) {}

  static async prepare(bench: Workbench, stage: Stage, archive: LastBackup): Promise<Copy> {
    const { host } = stage.fleet;
    const store = await DiskStore.open(pathToFileURL(join(bench.folder, 'store')).href);
    const scp = { options: opensshOptions(bench, host)(host.port), copy: join(bench.folder, 'copy.wpress') };
    return new Copy(stage, archive, store, scp);
  }

  async byScp(): Promise<CopyTime> {
    const { options, copy } = this.scp;
    const source = `${deploy.name}@127.0.0.1:${this.stage.folder}/${this.archive.value.name}`;
    const { ms } = await timed(() => run('scp', [...options, source, copy]));
    rmSync(copy);
    return { ms };
  }

  async byVigie(): Promise<CopyTime> {
    await this.store.delete(this.key);
    const before = process.memoryUsage.rss();
    let max = before;
    const watch = setInterval(() => (max = Math.max(max, process.memoryUsage.rss())), 20);
    const { ms } = await timed(() => this.download()).finally(() => clearInterval(watch));
    return { ms, growth: max - before };
  }

  private async download(): Promise<void> {
    const { site, connection } = this.stage;
    const { name, size } = this.archive.value;
    const context = { path: site.path, content: contentOf(site), php: '/usr/bin/php' };
    const host = { run: (script: string, options: object) => runScript(connection, script, options) };
    const incoming = await this.store.resume(this.key);
    const { script, args } = readArchive(context, name, 0);
    const [transferred, archive] = await Promise.all([
      downloadFrom(connection, script, (bytes) => incoming.add(bytes), { args }),
      statArchive(host, context, { name, isHashed: true }),
    ]);
    if (transferred.bytes !== size || transferred.sha256 !== archive?.sha256)
      throw new Error('the copy differs from the archive');
    await incoming.finish();
  }

  async list(): Promise<CopyTime> {
    return this.read(async (reader) => {
      let count = 0;
      for await (const entry of (await Archive.open(reader)).entries()) count += entry.size > 0 ? 1 : 0;
      return count;
    });
  }

  async verify(): Promise<CopyTime> {
    return this.read(verifyArchive);
  }

  private async read(work: (reader: Parameters<typeof verifyArchive>[0]) => Promise<unknown>): Promise<CopyTime> {
    const reader = await this.store.reader(this.key);
    if (!reader) throw new Error('the copy is missing');
    try {
      const { ms } = await timed(() => work(reader));
      return { ms };
    } finally {
      await reader.close();
    }
  }
}
