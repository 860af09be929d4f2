import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { runScript } from '@vigie/ssh/script';
import { downloadFrom } from '@vigie/ssh/transfer';
import { deploy, run } from '@vigie/testing/fleet/machine';
import { contentOf } from '@vigie/testing/fleet/sites';
import { archiveFacts, readArchive } from '@vigie/wordpress/backups';
import { Archive } from '@vigie/wpress/read-archive';
import { verifyArchive } from '@vigie/wpress/verify-archive';
import { fr } from '../terminal';
import { pack, type Packed, setStage, sizesOf, type Stage, tarAndDump, timed } from './backup-stage';
import { reportBackups } from './backups-report';
import { opensshOptions } from './ssh-stage';
import { median } from './statistics';
import type { Workbench } from './workbench';

/** A site packed, listed, copied and read, each against what people do without Vigie. */
export async function benchBackups(bench: Workbench, isQuick: boolean): Promise<void> {
  const sizes = sizesOf(isQuick);
  const stage = await setStage(bench, sizes);
  const packs: Packed[] = [];
  const rivals: Awaited<ReturnType<typeof tarAndDump>>[] = [];
  for (let round = 0; round < sizes.rounds; round += 1) {
    bench.signal.throwIfAborted();
    const turn = fr`tour ${round + 1} sur ${sizes.rounds}`;
    bench.step(fr`${turn}, tar et mariadb-dump`);
    rivals.push(await tarAndDump(stage));
    const last = packs.at(-1);
    if (last) rmSync(join(stage.folder, last.name));
    bench.step(fr`${turn}, Vigie sauvegarde`);
    packs.push(await pack(stage));
  }
  const last = packs.at(-1);
  if (!last) throw new Error('nothing was packed');
  const middle = <T>(all: readonly T[], of: (one: T) => number) => median(all.map(of));
  const copies = [];
  for (let round = 0; round < sizes.rounds; round += 1) {
    bench.signal.throwIfAborted();
    bench.step(fr`tour ${round + 1} sur ${sizes.rounds}, copie et lit la sauvegarde`);
    copies.push(await copyTo(bench, stage, last));
  }
  reportBackups({
    files: sizes.files,
    bytes: last.size,
    dumpBytes: rivals.at(-1)?.dumpBytes ?? 0,
    packMs: middle(packs, ({ ms }) => ms),
    packMemory: last.memory,
    tarMs: middle(rivals, ({ tarMs }) => tarMs),
    dumpMs: middle(rivals, ({ dumpMs }) => dumpMs),
    entries: last.entries,
    listMs: middle(copies, ({ listMs }) => listMs),
    verifyMs: middle(copies, ({ verifyMs }) => verifyMs),
    copyMs: middle(copies, ({ ownMs }) => ownMs),
    scpMs: middle(copies, ({ scpMs }) => scpMs),
    copyMemory: Math.max(...copies.map(({ grown }) => grown)),
  });
}

async function copyTo(bench: Workbench, stage: Stage, { name, size }: Packed) {
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
  const place = { path: site.path, content: contentOf(site), php: '/usr/bin/php' };
  const host = { run: (script: string, options: object) => runScript(connection, script, options) };
  const before = process.memoryUsage.rss();
  let max = before;
  const watch = setInterval(() => (max = Math.max(max, process.memoryUsage.rss())), 20);
  const { ms: ownMs } = await timed(async () => {
    const incoming = await store.resume(key);
    const { script, args } = readArchive(place, name, 0);
    const [went, there] = await Promise.all([
      downloadFrom(connection, script, (bytes) => incoming.add(bytes), { args }),
      archiveFacts(host, place, { name, isHashed: true }),
    ]);
    if (went.bytes !== size || went.sha256 !== there?.sha256) throw new Error('what came is not what was sent');
    await incoming.finish();
  });
  clearInterval(watch);
  const { listMs, verifyMs } = await readCopy(store, key);
  await store.delete(key);
  return { scpMs, ownMs, listMs, verifyMs, grown: max - before };
}

async function readCopy(store: FileStore, key: string): Promise<{ listMs: number; verifyMs: number }> {
  const reader = await store.reader(key);
  if (!reader) throw new Error('the copy is gone');
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
