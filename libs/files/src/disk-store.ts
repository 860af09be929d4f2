import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@vigie/contracts/errors';
import { giveToOwner, ignoreMissing, isFull, noRoom, syncFolder, writeAll } from './disk';
import { DiskIncoming } from './disk-incoming';
import { DiskReader } from './disk-reader';
import { checkedKey, FileStore, isKey, isLeftover, type Leftovers, type Named, type Stored } from './file-store';

/** Space that is left to other users of the disk. */
const keptShare = 0.1;
const maxKept = 2 * 1_073_741_824;
/** The free space is checked again after this many bytes, because others write too. */
const lookEvery = 32 * 1_048_576;

type Disk = { free: number; total: number };

/** Stores files in a folder that all its readers and writers share. */
export class DiskStore extends FileStore {
  readonly place: string;

  private constructor(
    private readonly root: string,
    private readonly measure: () => Promise<Disk>,
  ) {
    super();
    this.place = join(root, 'objects');
  }

  static async open(url: string, measure?: () => Promise<Disk>): Promise<DiskStore> {
    const root = fileURLToPath(url);
    for (const folder of [root, join(root, 'incoming'), join(root, 'objects')]) {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 });
      if (made !== undefined) await giveAll(folder, made);
    }
    return new DiskStore(root, measure ?? (() => measureDisk(root)));
  }

  async requireRoom(bytes: number): Promise<void> {
    const { free, total } = await this.measure();
    if (bytes > free - Math.min(total * keptShare, maxKept)) throw noRoom();
  }

  async write(key: string, content: AsyncIterable<Uint8Array>, max: number): Promise<Stored> {
    const incoming = this.incoming(key);
    // A killed writer may have left a partial file.
    await rm(incoming, { force: true });
    try {
      const stored = await writeNew(incoming, content, { most: max, onMore: () => this.requireRoom(0) });
      await giveToOwner(incoming, this.place);
      await rename(incoming, this.object(key));
      await syncFolder(this.place);
      return stored;
    } catch (error) {
      await rm(incoming, { force: true });
      throw isFull(error) ? noRoom(error) : error;
    }
  }

  resume(key: string): Promise<DiskIncoming> {
    const paths = { incoming: this.incoming(key), object: this.object(key), objects: this.place };
    return DiskIncoming.open(paths, () => this.requireRoom(0));
  }

  async reader(key: string): Promise<DiskReader | undefined> {
    const file = await open(this.object(key), 'r').catch(ignoreMissing);
    return file && new DiskReader(file, (await file.stat()).size);
  }

  async delete(key: string): Promise<void> {
    await rm(this.object(key), { force: true });
  }

  async purgeIncoming(leftovers: Leftovers, named: Named): Promise<number> {
    const gone = await this.unnamed('incoming', leftovers, named);
    for (const name of gone) await rm(join(this.root, 'incoming', name), { force: true });
    return gone.length;
  }

  async purgeObjects(leftovers: Leftovers, named: Named): Promise<number> {
    const gone = await this.unnamed('objects', leftovers, named);
    for (const name of gone) await this.delete(name);
    return gone.length;
  }

  private async unnamed(folder: 'incoming' | 'objects', leftovers: Leftovers, named: Named): Promise<string[]> {
    const old = await this.oldNames(folder, leftovers);
    const known = old.length > 0 ? await named(old) : new Set<string>();
    return old.filter((name) => !known.has(name));
  }

  private async oldNames(folder: 'incoming' | 'objects', leftovers: Leftovers): Promise<string[]> {
    const names = (await readdir(join(this.root, folder))).filter((name) => isKey(name));
    const old: string[] = [];
    for (const name of names) {
      const found = await stat(join(this.root, folder, name)).catch(ignoreMissing);
      if (found && isLeftover(found.mtimeMs, leftovers)) old.push(name);
    }
    return old;
  }

  private incoming(key: string): string {
    return join(this.root, 'incoming', checkedKey(key));
  }

  private object(key: string): string {
    return join(this.root, 'objects', checkedKey(key));
  }
}

/** Gives every created folder, from the first to the last, to the owner of the existing one. */
async function giveAll(last: string, first: string): Promise<void> {
  const owned = dirname(first);
  for (let folder = last; folder.length >= first.length; folder = dirname(folder)) await giveToOwner(folder, owned);
}

type Limits = { most: number; onMore: () => Promise<void> };

async function writeNew(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { most: max, onMore }: Limits,
): Promise<Stored> {
  const hash = createHash('sha256');
  let size = 0;
  let looked = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > max) throw new AppError('too_large', 'Le fichier est plus gros que prévu.');
      hash.update(chunk);
      await writeAll(file, chunk);
      if (size - looked < lookEvery) continue;
      looked = size;
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
