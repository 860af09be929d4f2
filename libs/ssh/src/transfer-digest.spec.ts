import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TransferDigest } from './transfer-digest';

const block = 262_144;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function digestOf(content: Buffer, size: number) {
  const digest = new TransferDigest();
  for (let offset = 0; offset < content.length; offset += size)
    await digest.add(content.subarray(offset, offset + size));
  return digest.end().finally(() => digest.close());
}

describe('the digest of a transfer', () => {
  it.each([0, 1, block - 1, block, block + 1, 20 * block, 20 * block + 17])('hashes %i bytes', async (bytes) => {
    const content = randomBytes(bytes);
    for (const size of [7_777, block, 3 * block + 1]) {
      expect(await digestOf(content, size)).toEqual({ bytes, sha256: sha256(content) });
    }
  });

  it('hashes several transfers at once, each by itself', async () => {
    const contents = [3, 5, 9].map((blocks) => randomBytes(blocks * block + blocks));
    const digests = await Promise.all(contents.map((content) => digestOf(content, 50_000)));
    expect(digests.map((one) => one.sha256)).toEqual(contents.map(sha256));
  });

  it('copies its input, because a stream reuses its buffers', async () => {
    const digest = new TransferDigest();
    const content = Buffer.alloc(3 * block, 1);
    await digest.add(content);
    content.fill(2);
    expect((await digest.end()).sha256).toBe(sha256(Buffer.alloc(3 * block, 1)));
    digest.close();
  });

  it('makes the caller wait when the thread is behind, and fails when it is closed meanwhile', async () => {
    const digest = new TransferDigest();
    const pendingAdd = digest.add(Buffer.alloc(40 * block))?.catch(String);
    digest.close();
    expect(await pendingAdd).toContain('has ended');
    await expect(digest.end()).rejects.toThrow('has ended');
  });
});
