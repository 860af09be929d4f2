import { crc32 } from 'node:zlib';

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export const pixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

export function pngHeader(width: number, height: number, rest: readonly number[] = [8, 6, 0, 0, 0]): Buffer {
  const data = Buffer.alloc(8);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  return pngChunk('IHDR', Buffer.concat([data, Buffer.from(rest)]));
}

/** A PNG with that many bytes of data. */
export const aPng = (length: number): Buffer =>
  Buffer.concat([
    pngSignature,
    pngHeader(256, 256),
    pngChunk('IDAT', Buffer.alloc(length, 1)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);

export function riffChunk(type: string, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
}

export const webp = (...chunks: readonly Buffer[]): Buffer =>
  riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));

/** The chunk of a lossless WebP picture of that size. */
export function losslessChunk(width: number, height: number, data = Buffer.alloc(8)): Buffer {
  const header = Buffer.alloc(5, 0x2f);
  header.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return riffChunk('VP8L', Buffer.concat([header, data]));
}
