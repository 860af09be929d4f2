import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@vigie/contracts/errors';
import { chownToFolderOwner, ignoreMissing, isDiskFull, diskFull, syncFolder, writeAll } from './disk';
import { DiskUpload } from './disk-upload';
import { DiskReader } from './disk-reader';
import {
  requireKey,
  FileStore,
  isKey,
  isAbandoned,
  type PurgeOptions,
  type FindUsed,
  type StoredFile,
} from './file-store';

/** Space that is left to other users of the disk. */
const reservedShare = 0.1;
const maxReserved = 2 * 1_073_741_824;
/** The free space is checked again after this many bytes, because others write too. */
const checkEvery = 32 * 1_048_576;

type Disk = { free: number; total: number };

/** Stores files in a folder that all its readers and writers share. */
export class DiskStore extends FileStore {
  readonly location: string;

  private constructor(
    private readonly root: string,
    private readonly measure: () => Promise<Disk>,
  ) {
    super();
    this.location = join(root, 'objects');
  }

  static async open(url: string, measure?: () => Promise<Disk>): Promise<DiskStore> {
    const root = fileURLToPath(url);
    for (const folder of [root, join(root, 'incoming'), join(root, 'objects')]) {
      const firstCreated = await mkdir(folder, { recursive: true, mode: 0o700 });
      if (firstCreated !== undefined) await chownFolders(folder, firstCreated);
    }
    return new DiskStore(root, measure ?? (() => measureDisk(root)));
  }

  async requireRoom(bytes: number): Promise<void> {
    const { free, total } = await this.measure();
    if (bytes > free - Math.min(total * reservedShare, maxReserved)) throw diskFull();
  }

  async write(key: string, content: AsyncIterable<Uint8Array>, max: number): Promise<StoredFile> {
    const incoming = this.incoming(key);
    // A killed writer may have left a partial file.
    await rm(incoming, { force: true });
    try {
      const stored = await writeNew(incoming, content, { max, onProgress: () => this.requireRoom(0) });
      await chownToFolderOwner(incoming, this.location);
      await rename(incoming, this.object(key));
      await syncFolder(this.location);
      return stored;
    } catch (error) {
      await rm(incoming, { force: true });
      throw isDiskFull(error) ? diskFull(error) : error;
    }
  }

  resume(key: string): Promise<DiskUpload> {
    const paths = { incoming: this.incoming(key), object: this.object(key), objects: this.location };
    return DiskUpload.open(paths, () => this.requireRoom(0));
  }

  async reader(key: string): Promise<DiskReader | undefined> {
    const file = await open(this.object(key), 'r').catch(ignoreMissing);
    return file && new DiskReader(file, (await file.stat()).size);
  }

  async delete(key: string): Promise<void> {
    await rm(this.object(key), { force: true });
  }

  async purgeIncoming(options: PurgeOptions, findUsed: FindUsed): Promise<number> {
    const unused = await this.findUnused('incoming', options, findUsed);
    for (const name of unused) await rm(join(this.root, 'incoming', name), { force: true });
    return unused.length;
  }

  async purgeObjects(options: PurgeOptions, findUsed: FindUsed): Promise<number> {
    const unused = await this.findUnused('objects', options, findUsed);
    for (const name of unused) await this.delete(name);
    return unused.length;
  }

  private async findUnused(
    folder: 'incoming' | 'objects',
    options: PurgeOptions,
    findUsed: FindUsed,
  ): Promise<string[]> {
    const old = await this.oldNames(folder, options);
    const used = old.length > 0 ? await findUsed(old) : new Set<string>();
    return old.filter((name) => !used.has(name));
  }

  private async oldNames(folder: 'incoming' | 'objects', options: PurgeOptions): Promise<string[]> {
    const names = (await readdir(join(this.root, folder))).filter((name) => isKey(name));
    const old: string[] = [];
    for (const name of names) {
      const stats = await stat(join(this.root, folder, name)).catch(ignoreMissing);
      if (stats && isAbandoned(stats.mtimeMs, options)) old.push(name);
    }
    return old;
  }

  private incoming(key: string): string {
    return join(this.root, 'incoming', requireKey(key));
  }

  private object(key: string): string {
    return join(this.root, 'objects', requireKey(key));
  }
}

/** Gives every created folder, from the first to the last, to the owner of the existing one. */
async function chownFolders(last: string, first: string): Promise<void> {
  const owned = dirname(first);
  for (let folder = last; folder.length >= first.length; folder = dirname(folder))
    await chownToFolderOwner(folder, owned);
}

type Limits = { max: number; onProgress: () => Promise<void> };

async function writeNew(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { max, onProgress: onMore }: Limits,
): Promise<StoredFile> {
  const hash = createHash('sha256');
  let size = 0;
  let checkedAt = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > max) throw new AppError('too_large', 'Le fichier est plus gros que prévu.');
      hash.update(chunk);
      await writeAll(file, chunk);
      if (size - checkedAt < checkEvery) continue;
      checkedAt = size;
      await onMore();
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest('hex') };
}

async function measureDisk(path: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { free: bavail * bsize, total: blocks * bsize };
}
