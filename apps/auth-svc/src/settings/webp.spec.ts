import { describe, expect, it } from 'vitest';
import { losslessChunk, riffChunk, webp } from '@vigie/testing/pictures';
import { sanitiseWebp } from './webp';

// The one-pixel pictures that web pages use to test which WebP features a browser reads.
const lossy = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
const lossless = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
const transparent = Buffer.from(
  'UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==',
  'base64',
);
const animated = Buffer.from(
  'UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAAAC8AAAAQBxAREYiI/gcA',
  'base64',
);
const script = riffChunk('XMP ', Buffer.from('<script>alert(1)</script>'));
const picture = losslessChunk(4096, 4096);
const profile = riffChunk('ICCP', Buffer.from('profile'));
const transparency = transparent.subarray(30, 50);
const frame = transparent.subarray(50);

function canvas(width: number, height: number, flags = 0): Buffer {
  const data = Buffer.alloc(10);
  data.writeUInt8(flags, 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return riffChunk('VP8X', data);
}

const changed = (bytes: Buffer, at: number, value: number) => {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
};

it.each([
  ['loss', lossy],
  ['no loss', lossless],
  ['transparency', transparent],
  ['a profile', webp(canvas(4096, 4096, 0x20), profile, picture)],
  ['much data', webp(losslessChunk(256, 256, Buffer.alloc(140_000)))],
])('keeps one with %s as it is', (_name, bytes) => {
  expect(sanitiseWebp(bytes)?.equals(bytes)).toBe(true);
});

it('drops chunks that do not draw, and their flags', () => {
  const wordy = webp(canvas(4096, 4096, 0x3c), profile, picture, riffChunk('EXIF', Buffer.from('where')), script);
  expect(sanitiseWebp(wordy)).toEqual(webp(canvas(4096, 4096, 0x30), profile, picture));
});

it('refuses an animation', () => {
  expect(() => sanitiseWebp(animated)).toThrow('Ce logo est refusé\u00a0: il ne peut pas être animé.');
});

it.each([
  ['a frame too wide', changed(lossy, 27, 0x20)],
  ['a picture too wide', webp(losslessChunk(4097, 1))],
  ['a picture too high', webp(losslessChunk(1, 16_384))],
  ['a canvas too large', webp(canvas(16_384, 16_384), losslessChunk(16_384, 16_384))],
])('refuses %s, and says why', (_name, bytes) => {
  expect(() => sanitiseWebp(bytes)).toThrow('Ce logo est refusé\u00a0: il dépasse 4096 pixels de côté.');
});

describe('bytes that are not a whole WebP are refused', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a name', Buffer.from('RIFF\u0004\0\0\0WEBP')],
    ['a script under that name', Buffer.from('RIFF....WEBP<script>alert(document.domain)</script>')],
    ['a script of the right length', webp(Buffer.from('<script>alert(1)</script>'))],
    ['a script in an unknown part', webp(riffChunk('<b/>', Buffer.from('<script>')))],
    ['an unknown part beside a picture', webp(canvas(4096, 4096), picture, riffChunk('EVIL', Buffer.alloc(2)))],
    ['a part beside a plain picture', webp(picture, script)],
    ['another family of files', changed(lossy, 0, 0x51)],
    ['a wrong length', changed(lossy, 4, 0x20)],
    ['bytes after the end', Buffer.concat([lossy, Buffer.from('<script>')])],
    ['a cut', lossy.subarray(0, -2)],
    ['a part longer than the file', changed(lossy, 17, 0xff)],
    ['padding that holds something', changed(webp(canvas(1, 1), profile, losslessChunk(1, 1)), 45, 1)],
    ['no start of a frame', changed(lossy, 23, 0)],
    ['a frame that is not a key', changed(lossy, 20, 0x31)],
    ['a frame longer than its part', changed(lossy, 22, 0xff)],
    ['a frame without height', changed(lossy, 28, 0)],
    ['no mark of a picture without loss', changed(lossless, 20, 0)],
    ['an unknown version', changed(lossless, 24, 0xf0)],
    ['a canvas larger than its picture', webp(canvas(16_384, 16_384), losslessChunk(1, 1))],
    ['a canvas alone', webp(canvas(1, 1))],
    ['a canvas too short', webp(riffChunk('VP8X', Buffer.alloc(8)), losslessChunk(1, 1))],
    ['two canvases', webp(canvas(1, 1), canvas(1, 1), losslessChunk(1, 1))],
    ['two pictures', webp(canvas(1, 1), losslessChunk(1, 1), losslessChunk(1, 1))],
    ['transparency twice', webp(canvas(1, 1, 0x10), transparency, transparency, frame)],
    ['transparency after the frame', webp(canvas(1, 1, 0x10), frame, transparency)],
    ['a profile after the frame', webp(canvas(1, 1, 0x20), frame, profile)],
  ])('%s', (_name, bytes) => {
    expect(sanitiseWebp(bytes)).toBeUndefined();
  });
});
