import { createHash, randomBytes } from 'node:crypto';
import type { Incoming } from './incoming';
import type { ObjectReader } from './object-reader';

export type Stored = { size: number; sha256: string };

/** `since`: what was there before then is left alone. */
export type Leftovers = { olderThanMs: number; now: number; since?: number | undefined };
/** Which of these keys something names. */
export type Named = (keys: string[]) => Promise<ReadonlySet<string>>;

const keyForm = /^[0-9a-f]{64}$/;

export const isKey = (name: string) => keyForm.test(name);

export const isLeftover = (at: number, { olderThanMs, now, since = 0 }: Leftovers) =>
  now - at > olderThanMs && at >= since;

export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error('this is not the key of an object');
  return key;
}

/** The store answers, and has not what was stored under that key. */
export class ObjectFault extends Error {}

/** Files under random keys: what somebody called theirs never becomes a path. */
export abstract class FileStore {
  static newKey(): string {
    return randomBytes(32).toString('hex');
  }

  /** Where its objects are, for people. */
  abstract readonly place: string;

  /** Throws where a file of that many bytes would not fit. */
  abstract requireRoom(bytes: number): Promise<void>;

  /** Whole under its key, or not at all. */
  abstract write(key: string, content: AsyncIterable<Uint8Array>, max: number): Promise<Stored>;

  /** An object that may come in pieces, with what came of it before where the store can keep that. */
  abstract resume(key: string): Promise<Incoming>;

  /** Undefined when there is no such object. */
  abstract reader(key: string): Promise<ObjectReader | undefined>;

  abstract delete(key: string): Promise<void>;

  /** Removes what was being written when its writer died: nobody has added to it for a while, and no work goes on with it. */
  abstract purgeIncoming(leftovers: Leftovers, named: Named): Promise<number>;

  /** Removes the objects that nothing names. */
  abstract purgeObjects(leftovers: Leftovers, named: Named): Promise<number>;

  /** The whole object; its last bytes come only when all of them are what was stored. */
  async *read(key: string, { size, sha256 }: Stored): AsyncGenerator<Buffer> {
    const reader = await this.reader(key);
    if (!reader) throw new ObjectFault(`the object ${key} is missing`);
    try {
      if (reader.size !== size) throw new ObjectFault(`the object ${key} has ${reader.size} bytes instead of ${size}`);
      const hash = createHash('sha256');
      let held: Buffer | undefined;
      for await (const chunk of reader.chunks(0, size)) {
        hash.update(chunk);
        if (held) yield held;
        held = chunk;
      }
      if (hash.digest('hex') !== sha256) throw new ObjectFault(`the object ${key} is not what was stored`);
      if (held) yield held;
    } finally {
      await reader.close();
    }
  }
}
