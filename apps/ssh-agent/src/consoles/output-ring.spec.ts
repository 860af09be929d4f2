import { expect, it } from 'vitest';
import { OutputRing } from './output-ring';

/** A stream whose every byte depends on its offset. */
const bytesFrom = (start: number, length: number) => Buffer.from(Array.from({ length }, (_, at) => (start + at) % 251));

it('keeps the last bytes, in chunks of any size', () => {
  const max = 10_000;
  const ring = new OutputRing(max);
  const sizes = [1, 5, 4_091, 4_097, 0, 3_000, 9_999, 10_000, 10_001, 25_000, 1, 1, 7_777, 64, 4_096, 12];
  for (const size of sizes) {
    ring.write(bytesFrom(ring.end, size));
    const kept = Math.min(ring.end, max);
    expect(ring.end - ring.start).toBe(kept);
    expect(ring.read(ring.start, max).equals(bytesFrom(ring.start, kept))).toBe(true);
    const middle = ring.start + Math.floor(kept / 3);
    expect(ring.read(middle, 100).equals(bytesFrom(middle, Math.min(100, ring.end - middle)))).toBe(true);
  }
});

it('returns copies, which later writes do not change', () => {
  const ring = new OutputRing(8);
  ring.write(Buffer.from('12345678'));
  const read = ring.read(0, 8);
  ring.write(Buffer.from('abcdefgh'));
  expect(read.toString()).toBe('12345678');
});
