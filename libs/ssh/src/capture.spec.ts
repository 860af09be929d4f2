import { expect, it } from 'vitest';
import { Capture } from './capture';

function captureAll(limit: number, side: 'first' | 'last', pieces: readonly string[]) {
  const capture = new Capture(limit, side);
  for (const piece of pieces) capture.add(Buffer.from(piece));
  return { text: capture.bytes.toString(), dropped: capture.dropped };
}

it('keeps all that fits', () => {
  expect(captureAll(6, 'first', ['ab', '', 'cdef'])).toEqual({ text: 'abcdef', dropped: 0 });
  expect(captureAll(6, 'last', ['ab', '', 'cdef'])).toEqual({ text: 'abcdef', dropped: 0 });
  expect(captureAll(6, 'last', [])).toEqual({ text: '', dropped: 0 });
});

it('keeps the first or last bytes and counts the rest, in pieces of any size', () => {
  const text = Array.from({ length: 5_000 }, (_, index) => String.fromCharCode(33 + (index % 90))).join('');
  for (const size of [1, 2, 3, 7, 99, 1_000, 4_999, 5_000]) {
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
    expect(captureAll(100, 'first', pieces)).toEqual({ text: text.slice(0, 100), dropped: 4_900 });
    expect(captureAll(100, 'last', pieces)).toEqual({ text: text.slice(-100), dropped: 4_900 });
  }
});

it('does not retain the packets of its bytes', () => {
  const capture = new Capture(10, 'first');
  const packet = Buffer.from('0123456789');
  capture.add(packet);
  packet.fill('x');
  expect(capture.bytes.toString()).toBe('0123456789');
});

it('allocates no more memory than it keeps', () => {
  const capture = new Capture(1_500, 'first');
  for (let at = 0; at < 100; at += 1) capture.add(Buffer.alloc(100));
  expect(capture.size).toBe(1_500);
});
