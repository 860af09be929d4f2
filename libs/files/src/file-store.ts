import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@vigie/contracts/errors';
import { ignoreMissing, isFull, noRoom, syncFolder, writeAll } from './disk';
import { Incoming } from './incoming';
import { ObjectReader } from './object-reader';

export type Stored = { size: number; sha256: string };

type Leftovers = { olderThanMs: number; now: number };
/** Which of these keys something names. */
type Named = (keys: string[]) => Promise<ReadonlySet<string>>;

const keyForm = /^[0-9a-f]{64}$/;

/** For who deploys: other kinds of stores are refused at start, not when the first file comes. */
export const storeRefusal = 'must be a file:/// address of a folder that the gateway, sites-svc and ssh-agent share';

export function isStoreUrl(url: string): boolean {
  try {
    return new URL(url).protocol === 'file:' && fileURLToPath(url) !== '/';
  } catch {
    return false;
  }
}

/** What the other users of a disk need to go on. */
const keptShare = 0.1;
const mostKept = 2 * 1_073_741_824;
/** How much is written before it is looked at again: others write too. */
const lookEvery = 32 * 1_048_576;

type Disk = { free: number; total: number };

/** Files under random keys: what somebody called theirs never becomes a path. */
export class FileStore {
  private constructor(
    private readonly root: string,
    private readonly measure: () => Promise<Disk>,
  ) {}

  static async open(url: string, measure?: () => Promise<Disk>): Promise<FileStore> {
    const root = fileURLToPath(url);
    for (const folder of [root, join(root, 'incoming'), join(root, 'objects')]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
    return new FileStore(root, measure ?? (() => measureDisk(root)));
  }

  static newKey(): string {
    return randomBytes(32).toString('hex');
  }

  /** Throws where a file of that many bytes would not fit. */
  async requireRoom(bytes: number): Promise<void> {
    const { free, total } = await this.measure();
    if (bytes > free - Math.min(total * keptShare, mostKept)) throw noRoom();
  }

  /** Whole under its key, or not at all. */
  async write(key: string, content: AsyncIterable<Uint8Array>, most: number): Promise<Stored> {
    const incoming = this.incoming(key);
    try {
      const stored = await writeNew(incoming, content, { most, onMore: () => this.requireRoom(0) });
      await rename(incoming, this.object(key));
      await syncFolder(join(this.root, 'objects'));
      return stored;
    } catch (error) {
      await rm(incoming, { force: true });
      throw isFull(error) ? noRoom(error) : error;
    }
  }

  /** An object that may come in pieces, with what came of it before. */
  resume(key: string): Promise<Incoming> {
    const paths = { incoming: this.incoming(key), object: this.object(key), objects: join(this.root, 'objects') };
    return Incoming.open(paths, () => this.requireRoom(0));
  }

  /** Undefined when there is no such object. */
  async reader(key: string): Promise<ObjectReader | undefined> {
    const file = await open(this.object(key), 'r').catch(ignoreMissing);
    return file && new ObjectReader(file, (await file.stat()).size);
  }

  /** The whole object; its last bytes come only when all of them are what was stored. */
  async *read(key: string, { size, sha256 }: Stored): AsyncGenerator<Buffer> {
    const reader = await this.reader(key);
    if (!reader) throw new Error(`the object ${key} is missing`);
    try {
      if (reader.size !== size) throw new Error(`the object ${key} has ${reader.size} bytes instead of ${size}`);
      const hash = createHash('sha256');
      let held: Buffer | undefined;
      for await (const chunk of reader.chunks(0, size)) {
        hash.update(chunk);
        if (held) yield held;
        held = chunk;
      }
      if (hash.digest('hex') !== sha256) throw new Error(`the object ${key} is not what was stored`);
      if (held) yield held;
    } finally {
      await reader.close();
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.object(key), { force: true });
  }

  /** Removes what was being written when its writer died: nobody has added to it for a while, and no work goes on with it. */
  async purgeIncoming(leftovers: Leftovers, named: Named): Promise<number> {
    const gone = await this.unnamed('incoming', leftovers, named);
    for (const name of gone) await rm(join(this.root, 'incoming', name), { force: true });
    return gone.length;
  }

  /** Removes the objects that nothing names. */
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

  private async oldNames(folder: 'incoming' | 'objects', { olderThanMs, now }: Leftovers): Promise<string[]> {
    const names = (await readdir(join(this.root, folder))).filter((name) => keyForm.test(name));
    const old: string[] = [];
    for (const name of names) {
      const found = await stat(join(this.root, folder, name)).catch(ignoreMissing);
      if (found && now - found.mtimeMs > olderThanMs) old.push(name);
    }
    return old;
  }

  private incoming(key: string): string {
    return join(this.root, 'incoming', checked(key));
  }

  private object(key: string): string {
    return join(this.root, 'objects', checked(key));
  }
}

function checked(key: string): string {
  if (!keyForm.test(key)) throw new Error('this is not the key of an object');
  return key;
}

type Limits = { most: number; onMore: () => Promise<void> };

async function writeNew(path: string, content: AsyncIterable<Uint8Array>, { most, onMore }: Limits): Promise<Stored> {
  const hash = createHash('sha256');
  let size = 0;
  let looked = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > most) throw new AppError('too_large', 'Le fichier est plus gros que prévu.');
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
