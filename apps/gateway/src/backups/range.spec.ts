import { describe, expect, it } from 'vitest';
import { parseRange } from './range';

describe('a Range header', () => {
  it.each([
    [undefined, undefined],
    ['bytes=0-', { from: 0, to: 10 }],
    ['bytes=0-0', { from: 0, to: 1 }],
    ['bytes=4-5', { from: 4, to: 6 }],
    ['bytes=4-99', { from: 4, to: 10 }],
    ['bytes=-3', { from: 7, to: 10 }],
    ['bytes=-99', { from: 0, to: 10 }],
    ['bytes=9-', { from: 9, to: 10 }],
  ])('%s is that range', (header, range) => expect(parseRange(header, 10)).toEqual(range));

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('%s is outside of the file', (header) =>
    expect(parseRange(header, 10)).toBeNull(),
  );

  it.each(['bytes=5-4', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=-', 'bytes=a-b', 'bytes=0x1-2'])(
    '%s is the whole file',
    (header) => expect(parseRange(header, 10)).toBeUndefined(),
  );

  it('has no range in an empty file', () => {
    expect([parseRange('bytes=0-', 0), parseRange('bytes=-1', 0)]).toEqual([null, null]);
  });
});
