import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { DiskStore } from './disk-store';
import type { DiskUpload } from './disk-upload';
import { FileStore } from './file-store';

let root: string;
const disk = { free: 1_000_000_000, total: 1_000_000_000 };
const openStore = (measure = async () => disk) => DiskStore.open(pathToFileURL(root).href, measure);
beforeEach(() => void (root = testFolder('incoming')));
const storedNames = async () => [await readdir(join(root, 'incoming')), await readdir(join(root, 'objects'))];

it('resumes an earlier upload, and becomes an object once it is complete', async () => {
  const store = await openStore();
  const key = FileStore.newKey();
  const content = randomBytes(3_300_000);
  const first = await store.resume(key);
  await first.add(content.subarray(0, 40));
  for (let at = 40; at < 2_000_000; at += 32_768)
    await first.add(content.subarray(at, Math.min(at + 32_768, 2_000_000)));
  expect(first.size).toBe(2_000_000);
  await first.suspend();
  expect(await storedNames()).toEqual([[key], []]);
  const second = await store.resume(key);
  expect([second.size, second.isWhole]).toEqual([2_000_000, false]);
  await second.add(content.subarray(2_000_000));
  expect(await second.hash()).toBe(createHash('sha256').update(content).digest('hex'));
  await second.finish();
  expect(await storedNames()).toEqual([[], [key]]);
  expect((await readFile(join(root, 'objects', key))).equals(content)).toBe(true);
});

it('starts again when the earlier bytes are useless', async () => {
  const incoming = await (await openStore()).resume(FileStore.newKey());
  await incoming.add(Buffer.alloc(1_500_000, 'a'));
  await incoming.restart();
  await incoming.add(Buffer.from('b'));
  expect([incoming.size, await incoming.hash()]).toEqual([1, createHash('sha256').update('b').digest('hex')]);
  await incoming.discard();
});

it.each([
  { at: 'from its beginning', restarted: false },
  { at: 'after a restart', restarted: true },
])('is refused as soon as others have filled the disk, $at', async ({ restarted }) => {
  let free = 1_000_000_000;
  const incoming = await (await openStore(async () => ({ ...disk, free }))).resume(FileStore.newKey());
  const write = async (megabytes: number) => {
    for (let n = 0; n < megabytes; n += 1) await incoming.add(Buffer.alloc(1_048_576));
    await incoming.flush();
  };
  if (restarted) {
    await write(70);
    await incoming.restart();
  }
  free = 0;
  await expect(write(80)).rejects.toMatchObject({ code: 'unavailable' });
  await incoming.discard();
  expect(await storedNames()).toEqual([[], []]);
});

describe('when the disk failed to store some of it, which the kernel says only once', () => {
  const megabytes = async (upload: DiskUpload, count: number) => {
    for (let n = 0; n < count; n += 1) await upload.add(Buffer.alloc(1_048_576));
    await upload.flush();
  };
  const failNextFlush = async () => {
    const file = await open(root, 'r');
    const flush = vi.spyOn(Object.getPrototypeOf(file), 'datasync');
    await file.close();
    flush.mockRejectedValueOnce(Object.assign(new Error('EIO'), { code: 'EIO' }));
  };
  afterEach(() => void vi.restoreAllMocks());

  it('is refused at the end', async () => {
    const incoming = await (await openStore()).resume(FileStore.newKey());
    await failNextFlush();
    await megabytes(incoming, 40);
    await expect(incoming.finish()).rejects.toThrow('EIO');
    await incoming.discard();
    expect(await storedNames()).toEqual([[], []]);
  });

  it('is refused before, when much more arrives', async () => {
    const incoming = await (await openStore()).resume(FileStore.newKey());
    await failNextFlush();
    await expect(megabytes(incoming, 80)).rejects.toThrow('EIO');
    await incoming.discard();
  });

  it('starts again after an interruption', async () => {
    const store = await openStore();
    const key = FileStore.newKey();
    const first = await store.resume(key);
    await failNextFlush();
    await megabytes(first, 40);
    await first.suspend();
    const second = await store.resume(key);
    expect(second.size).toBe(0);
    await second.discard();
  });
});
