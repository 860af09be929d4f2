import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Tally } from './tally';

const block = 262_144;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function hashed(content: Buffer, size: number) {
  const tally = new Tally();
  for (let place = 0; place < content.length; place += size) await tally.add(content.subarray(place, place + size));
  return tally.end().finally(() => tally.close());
}

describe('a tally', () => {
  it.each([0, 1, block - 1, block, block + 1, 20 * block, 20 * block + 17])('hashes %i bytes', async (bytes) => {
    const content = randomBytes(bytes);
    for (const size of [7_777, block, 3 * block + 1]) {
      expect(await hashed(content, size)).toEqual({ bytes, sha256: sha256(content) });
    }
  });

  it('hashes several at once, each by itself', async () => {
    const contents = [3, 5, 9].map((blocks) => randomBytes(blocks * block + blocks));
    const tallies = await Promise.all(contents.map((content) => hashed(content, 50_000)));
    expect(tallies.map((one) => one.sha256)).toEqual(contents.map(sha256));
  });

  it('takes copies, as a stream writes over its buffers', async () => {
    const went = new Tally();
    const content = Buffer.alloc(3 * block, 1);
    await went.add(content);
    content.fill(2);
    expect((await went.end()).sha256).toBe(sha256(Buffer.alloc(3 * block, 1)));
    went.close();
  });

  it('asks to wait when the thread is behind, and fails where it is closed meanwhile', async () => {
    const went = new Tally();
    const room = went.add(Buffer.alloc(40 * block))?.catch(String);
    went.close();
    expect(await room).toContain('has ended');
    await expect(went.end()).rejects.toThrow('has ended');
  });
});
