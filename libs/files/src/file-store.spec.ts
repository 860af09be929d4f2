import { mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@vigie/contracts/errors';
import { FileStore, isStoreUrl } from './file-store';

let root: string;
let store: FileStore;
beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), 'vigie-store-')), 'été 100%');
  store = await FileStore.open(pathToFileURL(root).href);
});
afterEach(() => rm(join(root, '..'), { recursive: true }));

async function* contentOf(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part);
}
const namesIn = (folder: string) => readdir(join(root, folder));
const most = 1_000;
async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}

describe('what is written', () => {
  it('is there whole, with its size and its hash, for nobody else', async () => {
    const key = FileStore.newKey();
    const stored = await store.write(key, contentOf('ab', 'c'), most);
    expect(stored).toEqual({
      size: 3,
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
    expect((await stat(join(root, 'objects', key))).mode & 0o777).toBe(0o600);
    expect((await stat(root)).mode & 0o777).toBe(0o700);
    expect(await textOf(store.read(key, stored))).toBe('abc');
    const reader = await store.reader(key);
    expect((await reader?.read(1, 2))?.toString()).toBe('bc');
    await expect(reader?.read(1, 3)).rejects.toThrow(RangeError);
    await reader?.close();
  });

  it('leaves nothing when its source fails, or is larger than allowed', async () => {
    async function* failing() {
      yield Buffer.from('a');
      throw new Error('cut');
    }
    await expect(store.write(FileStore.newKey(), failing(), most)).rejects.toThrow('cut');
    await expect(store.write(FileStore.newKey(), contentOf('abc'), 2)).rejects.toMatchObject({ code: 'too_large' });
    expect([await namesIn('incoming'), await namesIn('objects')]).toEqual([[], []]);
  });

  it('is refused with a sentence where the disk is full', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    async function* onFullDisk(): AsyncGenerator<Buffer> {
      yield Buffer.from('a');
      throw full;
    }
    const error = await store.write(FileStore.newKey(), onFullDisk(), most).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).detail).toContain('plus assez de place');
  });

  it('is refused where it would take what the disk needs to go on, before and while it is written', async () => {
    let free = 1_000;
    const near = await FileStore.open(pathToFileURL(root).href, async () => ({ free, total: 1_000 }));
    await expect(near.requireRoom(900)).resolves.toBeUndefined();
    await expect(near.requireRoom(901)).rejects.toMatchObject({ code: 'unavailable' });
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        free -= 400;
        yield Buffer.alloc(32 * 1_048_576);
      }
    }
    await expect(near.write(FileStore.newKey(), endless(), 1e12)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await namesIn('incoming')).toEqual([]);
  });

  it('is not given out once it is not what it was', async () => {
    const key = FileStore.newKey();
    const stored = await store.write(key, contentOf('abc'), most);
    await writeFile(join(root, 'objects', key), 'abd');
    // Its only part was withheld, or the first reading would have an end.
    await expect(store.read(key, stored).next()).rejects.toThrow('is not what was stored');
    await truncate(join(root, 'objects', key), 2);
    await expect(textOf(store.read(key, stored))).rejects.toThrow('2 bytes instead of 3');
  });

  it.each(['../../etc/passwd', 'a', '', 'A'.repeat(64), `${'a'.repeat(63)}/`])(
    'is under no key like %j',
    async (key) => {
      await expect(store.write(key, contentOf('a'), most)).rejects.toThrow('not the key');
      await expect(store.reader(key)).rejects.toThrow('not the key');
      await expect(store.delete(key)).rejects.toThrow('not the key');
    },
  );
});

describe('what nobody needs', () => {
  const minute = 60_000;
  const day = 24 * 60 * minute;

  it('goes when its writer died, or nothing names it, after a while and not before', async () => {
    const [named, forgotten, fresh, cut] = [1, 2, 3, 4].map(() => FileStore.newKey());
    for (const key of [named, forgotten, fresh]) await store.write(String(key), contentOf('x'), most);
    await writeFile(join(root, 'incoming', String(cut)), 'half');
    const now = Date.now();
    const before = new Date(now - day - minute);
    for (const key of [named, forgotten]) await utimes(join(root, 'objects', String(key)), before, before);
    const asked: string[] = [];
    const isNamed = async (keys: string[]) => {
      asked.push(...keys);
      return new Set([String(named)]);
    };
    expect(await store.purgeObjects({ olderThanMs: day, now }, isNamed)).toBe(1);
    expect(asked.toSorted()).toEqual([named, forgotten].map(String).toSorted());
    expect((await namesIn('objects')).toSorted()).toEqual([named, fresh].map(String).toSorted());
    const later = { olderThanMs: 10 * minute, now: now + 11 * minute };
    expect(await store.purgeIncoming({ olderThanMs: 10 * minute, now }, isNamed)).toBe(0);
    expect(await store.purgeIncoming(later, async (keys) => new Set(keys))).toBe(0);
    expect(await store.purgeIncoming(later, isNamed)).toBe(1);
    expect(await namesIn('incoming')).toEqual([]);
  });
});

it.each([
  ['file:///var/lib/vigie/store', true],
  ['file:///', false],
  ['s3://bucket/prefix', false],
  ['/var/lib/vigie', false],
  ['file://machine/folder', false],
])('%s is a store: %s', (url, isOne) => {
  expect(isStoreUrl(url)).toBe(isOne);
});
