import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { RemoteSource } from './remote-source';

const file = randomBytes(12_000_000);

function makeSource() {
  const stop = new AbortController();
  const ranges: [number, number][] = [];
  const read = async (offset: number, length: number) => {
    ranges.push([offset, length]);
    return file.subarray(offset, offset + length);
  };
  const source = new RemoteSource(file.length, read, stop.signal);
  return { source, ranges, stop };
}

async function pump(source: RemoteSource) {
  let max = 0;
  for (let at = 0; at < file.length; at += 32_768) {
    await source.take(file.subarray(at, at + 32_768));
    max = Math.max(max, at);
  }
  return max;
}

it('reads from the stream, and only ranges outside of it separately', async () => {
  const { source, ranges } = makeSource();
  const end = await source.read(file.length - 4_377, 4_377);
  expect(end.equals(file.subarray(-4_377))).toBe(true);
  const pumping = pump(source);
  for (let at = 0; at < file.length; at += 700_001) {
    const length = Math.min(900_000, file.length - at);
    expect((await source.read(at, length)).equals(file.subarray(at, at + length))).toBe(true);
  }
  await pumping;
  expect(ranges).toEqual([[file.length - 4_377, 4_377]]);
  await source.read(10, 20);
  expect(ranges.at(-1)).toEqual([10, 20]);
});

it('receives no more than will be read soon', async () => {
  const { source } = makeSource();
  void pump(source);
  await new Promise((resolve) => setImmediate(resolve));
  const { received } = source;
  expect([received >= 4_194_304, received < 5_000_000]).toEqual([true, true]);
});

it('stops waiting when the stream is cut', async () => {
  const { source, stop } = makeSource();
  const waiting = source.read(0, 10);
  stop.abort(new Error('cut'));
  await expect(waiting).rejects.toThrow('cut');
});
