import { pathToFileURL } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { testFolder } from '@vigie/testing/test-folder';
import type { Manifest } from '../backup/format';
import { requireFreeSpace } from './load-archive';

let root: string;
beforeEach(() => void (root = testFolder('room')));

async function* bytes(size: number) {
  yield Buffer.alloc(size);
}

it('requires space for the missing objects, and for one object that is replaced by itself', async () => {
  const free = { free: 1_000, total: 1_000 };
  const store = await DiskStore.open(pathToFileURL(root).href, async () => free);
  const keys = Array.from({ length: 6 }, () => FileStore.newKey());
  const parts = keys.map((key) => ({ name: `objects/${key}`, size: 200, sha256: '' }));
  const manifest = { parts: [{ name: 'rows/sites.jobs', size: 1e9, sha256: '' }, ...parts] } as unknown as Manifest;
  await expect(requireFreeSpace(store, manifest)).rejects.toMatchObject({ code: 'unavailable' });
  const [first = '', second = '', third = ''] = keys;
  await store.write(first, bytes(200), 1_000);
  await store.write(second, bytes(200), 1_000);
  // An object with the right key and the wrong size.
  await store.write(third, bytes(199), 1_000);
  await expect(requireFreeSpace(store, manifest)).rejects.toMatchObject({ code: 'unavailable' });
  await store.write(third, bytes(200), 1_000);
  await expect(requireFreeSpace(store, manifest)).resolves.toBeUndefined();
});
