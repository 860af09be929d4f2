import { chown, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@vigie/contracts/errors';
import { testFolder } from '@vigie/testing/test-folder';
import { DiskStore } from './disk-store';
import { FileStore } from './file-store';
import { isStoreUrl } from './open-store';

let root: string;
let store: FileStore;
beforeEach(async () => {
  root = join(testFolder('store'), 'été 100%');
  store = await DiskStore.open(pathToFileURL(root).href);
});

async function* contentOf(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part);
}
const namesIn = (folder: string) => readdir(join(root, folder));
const max = 1_000;

describe('a stored file', () => {
  it('is readable by its owner only', async () => {
    const key = FileStore.newKey();
    await store.write(key, contentOf('ab', 'c'), max);
    expect((await stat(join(root, 'objects', key))).mode & 0o777).toBe(0o600);
    expect((await stat(root)).mode & 0o777).toBe(0o700);
  });

  it('belongs to the owner of its folder, even when root writes it', async () => {
    const [uid, gid] = [process.getuid?.() || 65_534, process.getgid?.() || 65_534];
    await chown(join(root, '..'), uid, gid);
    await rm(root, { recursive: true });
    const own = await DiskStore.open(pathToFileURL(join(root, 'a/b')).href);
    const key = FileStore.newKey();
    await own.write(key, contentOf('a'), max);
    for (const path of ['', 'a', 'a/b', 'a/b/objects', 'a/b/incoming', `a/b/objects/${key}`]) {
      expect(await stat(join(root, path))).toMatchObject({ uid, gid });
    }
  });

  it('is refused when the disk is full', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    async function* onFullDisk(): AsyncGenerator<Buffer> {
      yield Buffer.from('a');
      throw full;
    }
    const error = await store.write(FileStore.newKey(), onFullDisk(), max).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).detail).toContain('plus assez de place');
  });

  it('is refused when it would use the disk’s reserve, before and during writing', async () => {
    let free = 1_000;
    const near = await DiskStore.open(pathToFileURL(root).href, async () => ({ free, total: 1_000 }));
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
});

it('deletes an abandoned upload, after a while and not before', async () => {
  const minute = 60_000;
  await writeFile(join(root, 'incoming', FileStore.newKey()), 'half');
  const now = Date.now();
  const later = { olderThanMs: 10 * minute, now: now + 11 * minute };
  const nobody = async () => new Set<string>();
  expect(await store.purgeIncoming({ olderThanMs: 10 * minute, now }, nobody)).toBe(0);
  expect(await store.purgeIncoming(later, async (keys) => new Set(keys))).toBe(0);
  expect(await store.purgeIncoming(later, nobody)).toBe(1);
  expect(await namesIn('incoming')).toEqual([]);
});

it.each([
  ['file:///var/lib/vigie/store', true],
  ['file:///', false],
  ['s3://bucket/prefix', true],
  ['s3://bucket', true],
  ['s3://bucket/a/../b', false],
  ['s3://Bucket', false],
  ['/var/lib/vigie', false],
  ['file://machine/folder', false],
])('%s is a store: %s', (url, isOne) => {
  expect(isStoreUrl(url)).toBe(isOne);
});
