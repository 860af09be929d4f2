import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { runScript } from '@vigie/ssh/script';
import { downloadFrom } from '@vigie/ssh/transfer';
import { deploy, run } from '@vigie/testing/fleet/machine';
import { contentOf } from '@vigie/testing/fleet/sites';
import { statArchive, readArchive } from '@vigie/wordpress/backups';
import { Archive } from '@vigie/wpress/read-archive';
import { verifyArchive } from '@vigie/wpress/verify-archive';
import { fr } from '../terminal';
import { createBackup, type Backup, setStage, benchSizes, type Stage, tarAndDump, timed } from './backup-stage';
import { reportBackups } from './backups-report';
import { opensshOptions } from './ssh-stage';
import { median } from './statistics';
import type { Workbench } from './workbench';

/** Measures how long a backup is created, listed, copied and read, compared with the usual tools. */
export async function benchBackups(bench: Workbench, isQuick: boolean): Promise<void> {
  const sizes = benchSizes(isQuick);
  const stage = await setStage(bench, sizes);
  const packs: Backup[] = [];
  const rivals: Awaited<ReturnType<typeof tarAndDump>>[] = [];
  for (let round = 0; round < sizes.rounds; round += 1) {
    bench.signal.throwIfAborted();
    const roundTitle = fr`tour ${round + 1} sur ${sizes.rounds}`;
    bench.step(fr`${roundTitle}, tar et mariadb-dump`);
    rivals.push(await tarAndDump(stage));
    const last = packs.at(-1);
    if (last) rmSync(join(stage.folder, last.name));
    bench.step(fr`${roundTitle}, Vigie sauvegarde`);
    packs.push(await createBackup(stage));
  }
  const last = packs.at(-1);
  if (!last) throw new Error('there is no backup');
  const medianBy = <T>(items: readonly T[], select: (item: T) => number) => median(items.map(select));
  const copies = [];
  for (let round = 0; round < sizes.rounds; round += 1) {
    bench.signal.throwIfAborted();
    bench.step(fr`tour ${round + 1} sur ${sizes.rounds}, copie et lit la sauvegarde`);
    copies.push(await measureCopy(bench, stage, last));
  }
  reportBackups({
    files: sizes.files,
    bytes: last.size,
    dumpBytes: rivals.at(-1)?.dumpBytes ?? 0,
    packMs: medianBy(packs, ({ ms }) => ms),
    packMemory: last.memory,
    tarMs: medianBy(rivals, ({ tarMs }) => tarMs),
    dumpMs: medianBy(rivals, ({ dumpMs }) => dumpMs),
    entries: last.entries,
    listMs: medianBy(copies, ({ listMs }) => listMs),
    verifyMs: medianBy(copies, ({ verifyMs }) => verifyMs),
    copyMs: medianBy(copies, ({ ownMs }) => ownMs),
    scpMs: medianBy(copies, ({ scpMs }) => scpMs),
    copyMemory: Math.max(...copies.map(({ memoryGrowth }) => memoryGrowth)),
  });
}

async function measureCopy(bench: Workbench, stage: Stage, { name, size }: Backup) {
  const { fleet, site, connection, folder } = stage;
  const copy = join(bench.folder, 'copy.wpress');
  const scp = [
    'scp',
    ...opensshOptions(bench, fleet.host)(fleet.host.port),
    `${deploy.name}@127.0.0.1:${folder}/${name}`,
  ];
  const { ms: scpMs } = await timed(() => run(scp[0] ?? '', [...scp.slice(1), copy]));
  rmSync(copy);
  const store = await DiskStore.open(pathToFileURL(join(bench.folder, 'store')).href);
  const key = FileStore.newKey();
  const siteContext = { path: site.path, content: contentOf(site), php: '/usr/bin/php' };
  const host = { run: (script: string, options: object) => runScript(connection, script, options) };
  const before = process.memoryUsage.rss();
  let max = before;
  const watch = setInterval(() => (max = Math.max(max, process.memoryUsage.rss())), 20);
  const { ms: ownMs } = await timed(async () => {
    const incoming = await store.resume(key);
    const { script, args } = readArchive(siteContext, name, 0);
    const [transferred, archive] = await Promise.all([
      downloadFrom(connection, script, (bytes) => incoming.add(bytes), { args }),
      statArchive(host, siteContext, { name, isHashed: true }),
    ]);
    if (transferred.bytes !== size || transferred.sha256 !== archive?.sha256)
      throw new Error('the copy differs from the archive');
    await incoming.finish();
  });
  clearInterval(watch);
  const { listMs, verifyMs } = await readCopy(store, key);
  await store.delete(key);
  return { scpMs, ownMs, listMs, verifyMs, memoryGrowth: max - before };
}

async function readCopy(store: FileStore, key: string): Promise<{ listMs: number; verifyMs: number }> {
  const reader = await store.reader(key);
  if (!reader) throw new Error('the copy is missing');
  try {
    const { ms: listMs } = await timed(async () => {
      let count = 0;
      for await (const entry of (await Archive.open(reader)).entries()) count += entry.size > 0 ? 1 : 0;
      return count;
    });
    const { ms: verifyMs } = await timed(() => verifyArchive(reader));
    return { listMs, verifyMs };
  } finally {
    await reader.close();
  }
}
