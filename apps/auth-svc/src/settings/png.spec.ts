import { describe, expect, it } from 'vitest';
import { aPng, pixelPng, pngChunk, pngHeader, pngSignature } from '@vigie/testing/pictures';
import { sanitisePng } from './png';

const data = pngChunk('IDAT', Buffer.from('data'));
const end = pngChunk('IEND', Buffer.alloc(0));
const png = (...chunks: readonly Buffer[]) => Buffer.concat([pngSignature, ...chunks]);
const header = pngHeader(4096, 4096);
const script = Buffer.from('<script>alert(1)</script>');
const palette = pngChunk('PLTE', Buffer.alloc(3));
const paletted = pngHeader(8, 8, [8, 3, 0, 0, 0]);

it.each([
  ['a pixel', pixelPng],
  ['a large one', aPng(140_000)],
  ['data in parts', png(header, data, data, end)],
  ['a palette', png(paletted, palette, pngChunk('tRNS', Buffer.alloc(1)), data, end)],
])('keeps %s as it is', (_name, bytes) => {
  expect(sanitisePng(bytes)?.equals(bytes)).toBe(true);
});

it('drops chunks that do not draw', () => {
  const words = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'acTL', 'fcTL', 'iDOT'].map((type) => pngChunk(type, script));
  expect(sanitisePng(png(header, ...words, data, ...words, end))).toEqual(png(header, data, end));
});

it.each([
  ['a canvas too wide', png(pngHeader(4097, 1), data, end)],
  ['a canvas too high', png(pngHeader(1, 4_000_000_000), data, end)],
])('refuses %s, and says why', (_name, bytes) => {
  expect(() => sanitisePng(bytes)).toThrow('Ce logo est refusé\u00a0: il dépasse 4096 pixels de côté.');
});

describe('bytes that are not a whole PNG are refused', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another file', script],
    ['a signature', png()],
    ['a header alone', png(header)],
    ['a header and an end', png(header, end)],
    ['no data', png(header, pngChunk('IDAT', Buffer.alloc(0)), end)],
    ['no end', png(header, data)],
    ['no header', png(data, end)],
    ['two headers', png(header, header, data, end)],
    ['two ends', png(header, data, end, end)],
    ['an end that holds something', png(header, data, pngChunk('IEND', script))],
    ['data in two places', png(header, data, pngChunk('tEXt', script), data, end)],
    ['a missing palette', png(paletted, data, end)],
    ['a late palette', png(paletted, data, palette, end)],
    ['an unknown part that must be known', png(header, pngChunk('EVIL', script), data, end)],
    ['a part without a name', png(header, pngChunk('<b/>', script), data, end)],
    ['bytes after the end', Buffer.concat([pixelPng, script])],
    ['a few bytes after the end', Buffer.concat([pixelPng, Buffer.alloc(3)])],
    [
      'a part longer than the file',
      Buffer.concat([png(header), Buffer.from('ffffffff49444154', 'hex'), Buffer.alloc(8)]),
    ],
    ['a cut', pixelPng.subarray(0, -1)],
    ['no height', png(pngHeader(1, 0), data, end)],
    ['a depth that is none', png(pngHeader(1, 1, [3, 6, 0, 0, 0]), data, end)],
    ['colours that are none', png(pngHeader(1, 1, [8, 5, 0, 0, 0]), data, end)],
    ['a header too long', png(pngHeader(1, 1, [8, 6, 0, 0, 0, 0]), data, end)],
  ])('%s', (_name, bytes) => {
    expect(sanitisePng(bytes)).toBeUndefined();
  });

  it('one wrong bit anywhere', () => {
    for (let at = 0; at < pixelPng.length; at += 1) {
      const wrong = Buffer.from(pixelPng);
      wrong[at] = (wrong[at] ?? 0) ^ 1;
      expect(sanitisePng(wrong)).toBeUndefined();
    }
  });
});
