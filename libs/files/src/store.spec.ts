import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeS3 } from '@vigie/testing/s3';
import { FileStore, ObjectFault } from './file-store';
import { openStore } from './open-store';

const minute = 60_000;
const day = 24 * 60 * minute;
const max = 100_000_000;
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
/** `huge` is more than two parts of S3 and `large` more than one, neither a whole number of parts. */
const huge = randomBytes(34_000_000);
const large = huge.subarray(0, 17_500_000);

async function* inPieces(bytes: Buffer, size = 1_000_003) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** A store, and direct access to what is behind it. */
type StoreBackend = {
  url: string;
  location: string;
  replace: (key: string, bytes: Buffer) => Promise<void>;
  age: (key: string, ms: number) => Promise<void>;
  keys: () => Promise<string[]>;
  /** Number of unfinished uploads. */
  unfinishedCount: () => Promise<number>;
  close: () => Promise<void>;
};

async function onDisk(): Promise<StoreBackend> {
  const root = await mkdtemp(join(tmpdir(), 'vigie-store-'));
  const object = (key: string) => join(root, 'objects', key);
  return {
    url: pathToFileURL(root).href,
    location: join(root, 'objects'),
    replace: (key, bytes) => writeFile(object(key), bytes),
    age: (key, ms) => utimes(object(key), new Date(Date.now() - ms), new Date(Date.now() - ms)),
    keys: () => readdir(join(root, 'objects')),
    unfinishedCount: async () => (await readdir(join(root, 'incoming'))).length,
    close: () => rm(root, { recursive: true }),
  };
}

async function inS3(): Promise<StoreBackend> {
  const s3 = await FakeS3.start();
  s3.serve();
  const object = (key: string) => `parc/ete/objects/${key}`;
  return {
    url: 's3://vigie/parc/ete',
    location: 's3://vigie/parc/ete/objects',
    replace: async (key, bytes) => void s3.objects.set(object(key), { bytes, etag: '"other"', at: new Date() }),
    age: async (key, ms) => {
      const entry = s3.objects.get(object(key));
      if (entry) entry.at = new Date(Date.now() - ms);
    },
    keys: async () => [...s3.objects.keys()].map((name) => name.slice('parc/ete/objects/'.length)),
    unfinishedCount: async () => s3.uploads.size,
    close: () => s3.close(),
  };
}

describe.each([
  ['on a disk', onDisk],
  ['in S3', inS3],
])('a store %s', (_, open) => {
  let backend: StoreBackend;
  let store: FileStore;
  beforeAll(async () => {
    backend = await open();
    store = await openStore(backend.url);
  });
  afterAll(() => backend?.close());

  it('stores small and large objects', async () => {
    expect(store.location).toBe(backend.location);
    for (const bytes of [Buffer.alloc(0), Buffer.from('abc'), huge]) {
      const key = FileStore.newKey();
      const stored = await store.write(key, inPieces(bytes), max);
      expect(stored).toEqual({ size: bytes.length, sha256: hashOf(bytes) });
      expect((await bytesOf(store.read(key, stored))).equals(bytes)).toBe(true);
    }
    expect(await backend.unfinishedCount()).toBe(0);
  });

  it('reads any range within an object, and none beyond it', async () => {
    const key = FileStore.newKey();
    await store.write(key, inPieces(large), max);
    const reader = await store.reader(key);
    expect(reader?.size).toBe(large.length);
    expect((await reader?.read(16_000_000, 1_000))?.equals(large.subarray(16_000_000, 16_001_000))).toBe(true);
    expect(await reader?.read(5, 0)).toHaveLength(0);
    await expect(reader?.read(large.length - 1, 2)).rejects.toThrow(RangeError);
    const span = await bytesOf(reader?.chunks(1_234_567, 9_876_543) ?? inPieces(Buffer.alloc(0)));
    expect(span.equals(large.subarray(1_234_567, 9_876_543))).toBe(true);
    await reader?.close();
    expect(await store.reader(FileStore.newKey())).toBeUndefined();
  });

  it('leaves nothing when the content fails or is larger than allowed', async () => {
    const before = await backend.keys();
    async function* failing() {
      yield* inPieces(large);
      throw new Error('cut');
    }
    await expect(store.write(FileStore.newKey(), failing(), max)).rejects.toThrow('cut');
    await expect(store.write(FileStore.newKey(), inPieces(large), 17_000_000)).rejects.toMatchObject({
      code: 'too_large',
    });
    expect([await backend.unfinishedCount(), await backend.keys()]).toEqual([0, before]);
  });

  it('does not return altered content', async () => {
    const key = FileStore.newKey();
    const stored = await store.write(key, inPieces(Buffer.from('abc')), max);
    await backend.replace(key, Buffer.from('abd'));
    // A single chunk is withheld until its hash is verified, so already the first read must fail.
    await expect(store.read(key, stored).next()).rejects.toThrow('is not what was stored');
    await backend.replace(key, Buffer.from('ab'));
    await expect(bytesOf(store.read(key, stored))).rejects.toThrow('2 bytes instead of 3');
    await store.delete(key);
    await store.delete(key);
    await expect(bytesOf(store.read(key, stored))).rejects.toThrow(ObjectFault);
  });

  it('accepts an object in pieces, whose hash is known before it is finished', async () => {
    const key = FileStore.newKey();
    const first = await store.resume(key);
    await first.add(Buffer.from('of no use'));
    await first.restart();
    for await (const piece of inPieces(large)) await first.add(piece);
    expect([first.size, first.isWhole, await first.hash()]).toEqual([large.length, false, hashOf(large)]);
    expect(await store.reader(key)).toBeUndefined();
    await first.finish();
    const second = await store.resume(key);
    expect([second.size, second.isWhole, await second.hash()]).toEqual([large.length, true, hashOf(large)]);
    // A slow worker drops an object that another one finished: it stays, because its row references it.
    await second.discard();
    expect(await backend.keys()).toContain(key);
    const discarded = await store.resume(FileStore.newKey());
    await discarded.add(large);
    await discarded.discard();
    expect(await backend.unfinishedCount()).toBe(0);
  });

  it.each(['../../etc/passwd', 'a', '', 'A'.repeat(64), `${'a'.repeat(63)}/`])('refuses a key like %j', async (key) => {
    await expect(store.write(key, inPieces(Buffer.from('a')), max)).rejects.toThrow('not the key');
    await expect(store.reader(key)).rejects.toThrow('not the key');
    await expect(store.delete(key)).rejects.toThrow('not the key');
  });

  it('deletes objects that nothing references, after a day and not before', async () => {
    for (const key of await backend.keys()) await store.delete(key);
    const keys = Array.from({ length: 5 }, () => FileStore.newKey());
    for (const key of keys) await store.write(key, inPieces(Buffer.from('x')), max);
    const [used = '', ...others] = keys;
    const fresh = others.pop() ?? '';
    for (const key of [used, ...others]) await backend.age(key, day + minute);
    const checkedKeys: string[] = [];
    const findUsed = async (keysToCheck: string[]) => {
      checkedKeys.push(...keysToCheck);
      return new Set([used]);
    };
    expect(await store.purgeObjects({ olderThanMs: day, now: Date.now() }, findUsed)).toBe(3);
    expect(checkedKeys.toSorted()).toEqual([used, ...others].toSorted());
    expect((await backend.keys()).toSorted()).toEqual([used, fresh].toSorted());
  });

  it('leaves objects alone that are older than a given time', async () => {
    for (const key of await backend.keys()) await store.delete(key);
    const [before, after] = [FileStore.newKey(), FileStore.newKey()];
    for (const key of [before, after]) await store.write(key, inPieces(Buffer.from('x')), max);
    await backend.age(before, 5 * day);
    await backend.age(after, 3 * day);
    const now = Date.now();
    const options = { olderThanMs: day, now, since: now - 4 * day };
    expect(await store.purgeObjects(options, async () => new Set())).toBe(1);
    expect(await backend.keys()).toEqual([before]);
  });
});
