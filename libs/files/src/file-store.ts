import { createHash, randomBytes } from 'node:crypto';
import type { PendingUpload } from './pending-upload';
import type { ObjectReader } from './object-reader';

export type StoredFile = { size: number; sha256: string };

/** Files older than `since` are left alone. */
export type PurgeOptions = { olderThanMs: number; now: number; since?: number | undefined };
/** Returns which of these keys are still referenced. */
export type FindUsed = (keys: string[]) => Promise<ReadonlySet<string>>;

const keyForm = /^[0-9a-f]{64}$/;

export const isKey = (name: string) => keyForm.test(name);

export const isAbandoned = (at: number, { olderThanMs, now, since = 0 }: PurgeOptions) =>
  now - at > olderThanMs && at >= since;

export function requireKey(key: string): string {
  if (!isKey(key)) throw new Error('this is not the key of an object');
  return key;
}

/** The store answers, but the object is missing or not the stored one. */
export class ObjectFault extends Error {}

/** Stores files under random keys: a name that somebody chose never becomes a path. */
export abstract class FileStore {
  static newKey(): string {
    return randomBytes(32).toString('hex');
  }

  abstract readonly location: string;

  /** Throws when a file of that size would not fit. */
  abstract requireRoom(bytes: number): Promise<void>;

  abstract write(key: string, content: AsyncIterable<Uint8Array>, max: number): Promise<StoredFile>;

  /** Starts or resumes an upload in pieces, with the bytes of earlier attempts if the store can keep them. */
  abstract resume(key: string): Promise<PendingUpload>;

  abstract reader(key: string): Promise<ObjectReader | undefined>;

  abstract delete(key: string): Promise<void>;

  /** Deletes abandoned uploads: nothing was added for a while, and no work references them. */
  abstract purgeIncoming(options: PurgeOptions, findUsed: FindUsed): Promise<number>;

  abstract purgeObjects(options: PurgeOptions, findUsed: FindUsed): Promise<number>;

  /** Reads the whole object. Its last bytes come only when all of them match the stored hash. */
  async *read(key: string, { size, sha256 }: StoredFile): AsyncGenerator<Buffer> {
    const reader = await this.reader(key);
    if (!reader) throw new ObjectFault(`the object ${key} is missing`);
    try {
      if (reader.size !== size) throw new ObjectFault(`the object ${key} has ${reader.size} bytes instead of ${size}`);
      const hash = createHash('sha256');
      let lastChunk: Buffer | undefined;
      for await (const chunk of reader.chunks(0, size)) {
        hash.update(chunk);
        if (lastChunk) yield lastChunk;
        lastChunk = chunk;
      }
      if (hash.digest('hex') !== sha256) throw new ObjectFault(`the object ${key} is not what was stored`);
      if (lastChunk) yield lastChunk;
    } finally {
      await reader.close();
    }
  }
}
