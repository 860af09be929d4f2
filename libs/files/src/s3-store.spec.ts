import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeS3 } from '@vigie/testing/s3';
import { FileStore } from './file-store';
import { openStore } from './open-store';

const large = randomBytes(17_500_000);
const max = 100_000_000;
let s3: FakeS3;
let store: FileStore;
beforeAll(async () => {
  s3 = await FakeS3.start();
  s3.serve();
  store = await openStore('s3://vigie');
});
beforeEach(() => {
  s3.objects.clear();
  s3.uploads.clear();
});
afterAll(() => s3?.close());

async function* pieces() {
  for (let at = 0; at < large.length; at += 1_000_003) yield large.subarray(at, at + 1_000_003);
}
const write = () => store.write(FileStore.newKey(), pieces(), max);
async function sumOf(key: string, stored: Awaited<ReturnType<typeof write>>) {
  const hash = createHash('sha256');
  for await (const chunk of store.read(key, stored)) hash.update(chunk);
  return hash.digest('hex');
}

it('retries when the store is busy or a transfer is cut', async () => {
  s3.faults.push({ of: 'UploadPart', kind: 'slow-down' }, { of: 'UploadPart', kind: 'vanish' });
  s3.faults.push({ of: 'CompleteMultipartUpload', kind: 'slow-down' }, { of: 'HeadObject', kind: 'slow-down' });
  s3.faults.push({ of: 'GetObject', kind: 'cut' }, { of: 'GetObject', kind: 'cut' });
  const key = FileStore.newKey();
  const stored = await store.write(key, pieces(), max);
  expect(await sumOf(key, stored)).toBe(stored.sha256);
  expect([s3.faults, s3.uploads.size]).toEqual([[], 0]);
});

it('reports an unavailable store, and leaves nothing there', async () => {
  s3.faults.push(...Array.from({ length: 4 }, () => ({ of: 'UploadPart', kind: 'slow-down' }) as const));
  await expect(write()).rejects.toMatchObject({ code: 'unavailable', detail: expect.stringContaining('stockage') });
  expect([s3.faults, s3.uploads.size, s3.objects.size]).toEqual([[], 0, 0]);
});

it('refuses the whole when a part is lost', async () => {
  s3.faults.push({ of: 'UploadPart', kind: 'wrong-etag' });
  await expect(write()).rejects.toMatchObject({ code: 'unavailable' });
  expect([s3.uploads.size, s3.objects.size]).toEqual([0, 0]);
});

it('does not mix an opened object with its replacement', async () => {
  const key = FileStore.newKey();
  await store.write(key, pieces(), max);
  const reader = await store.reader(key);
  await store.write(key, pieces(), max);
  s3.objects.set(`objects/${key}`, { bytes: large, etag: '"other"', at: new Date() });
  await expect(reader?.read(0, 10)).rejects.toThrow('is gone');
});

it('keeps an abandoned upload for a day', async () => {
  const incoming = await store.resume(FileStore.newKey());
  for await (const piece of pieces()) await incoming.add(piece);
  await incoming.flush();
  const now = Date.now();
  const nobody = async () => new Set<string>();
  const minute = 60_000;
  expect(await store.purgeIncoming({ olderThanMs: minute, now: now + 60 * minute }, nobody)).toBe(0);
  const later = { olderThanMs: minute, now: now + 25 * 60 * minute };
  expect(await store.purgeIncoming(later, async (keys) => new Set(keys))).toBe(0);
  expect(await store.purgeIncoming(later, nobody)).toBe(1);
  expect(s3.uploads.size).toBe(0);
});

it('does not report refused credentials as an empty store', async () => {
  const { credentials } = s3;
  const right = credentials.secretAccessKey;
  credentials.secretAccessKey = 'another';
  await expect(write()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(store.reader(FileStore.newKey())).rejects.toMatchObject({ code: 'unavailable' });
  credentials.secretAccessKey = right;
});
