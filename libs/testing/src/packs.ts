import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '@vigie/ssh/connection';
import { type PackOrder, PackReader, packTask } from '@vigie/wordpress/pack';
import { Archive, type Entry } from '@vigie/wpress/read-archive';
import { verifyArchive } from '@vigie/wpress/verify-archive';
import type { FleetSite } from './fleet/sites';
import { processesOf, runOperation } from './operations';
import { until } from './until';

export const backupsOf = (content: string) => join(content, 'ai1wm-backups');

export const archivesIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => /\.(wpress|part)$/.test(name)) : [];

/** Begins to pack a site as an agent does; `printed` is for failure messages. */
export function beginPack(connection: Connection, site: FleetSite, options: Partial<PackOrder> = {}) {
  const operation = randomUUID();
  const name = `${operation}.wpress`;
  const order: PackOrder = { operation, site, php: '/usr/bin/php', name, format: 1, without: {}, ...options };
  const follow = async () => {
    const task = { ...packTask(order), lock: site.path };
    const { lines, code, printed } = await runOperation(connection, operation, task);
    const reader = new PackReader();
    const progress = lines.flatMap((line) => reader.readLine(line) ?? []);
    return { end: reader.end, part: reader.part, reports: progress, code, printed: `${lines.join('\n')}${printed}` };
  };
  return { operation, name, ended: follow() };
}

/** Verifies an archive and opens it for the duration of the work. */
export async function readPacked<T>(
  file: string,
  work: (archive: Archive, entries: Map<string, Entry>) => Promise<T>,
): Promise<T> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const read = async (offset: number, length: number) =>
      (await handle.read(Buffer.alloc(length), 0, length, offset)).buffer;
    const { by } = await verifyArchive({ size, read });
    if (by === 'structure') throw new Error(`${file} has no sum`);
    const archive = await Archive.open({ size, read });
    const entries = new Map<string, Entry>();
    for await (const entry of archive.entries()) entries.set(entry.rawPath, entry);
    return await work(archive, entries);
  } finally {
    await handle.close();
  }
}

export async function bytesOf(archive: Archive, entry: Entry | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (entry) for await (const chunk of archive.content(entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Stops an operation's PHP as soon as the file that it writes has that many bytes; returns its pid. */
export async function freeze(operation: string, part: string, bytes: number): Promise<number> {
  const findPid = () => processesOf(operation).find(({ name }) => name.startsWith('php'))?.pid;
  let pid: number | undefined;
  // Finding the process is slow, so it is found before the file appears.
  await until(() => {
    pid = findPid();
    return existsSync(part);
  });
  pid ??= findPid();
  if (pid === undefined) throw new Error('no PHP of this operation');
  // A busy loop, because the file grows by megabytes during a pause.
  while (existsSync(part) && statSync(part).size < bytes);
  process.kill(pid, 'SIGSTOP');
  if (!existsSync(part)) throw new Error('it was over before it could be stopped');
  return pid;
}

type FoundFile = { path: string; size: number; mtime: number; real: string };

/** Lists the files below a folder with their names in an archive, following links. */
export function filesBelow(
  folder: string,
  isExcluded: (path: string) => boolean,
  above: readonly string[] = [],
): FoundFile[] {
  const walk = (real: string, path: string, parents: readonly string[]): FoundFile[] =>
    readdirSync(real).flatMap((name) => {
      const [inner, named] = [join(real, name), path === '' ? name : `${path}/${name}`];
      if (isExcluded(named) || !existsSync(inner)) return [];
      const stats = statSync(inner);
      if (stats.isFile())
        return [{ path: named, size: stats.size, mtime: Math.floor(stats.mtimeMs / 1000), real: inner }];
      const realPath = realpathSync(inner);
      return stats.isDirectory() && !parents.includes(realPath) ? walk(inner, named, [...parents, realPath]) : [];
    });
  return walk(folder, '', [...above, realpathSync(folder)]);
}
