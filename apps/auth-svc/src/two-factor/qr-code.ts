import { crc32, deflateSync } from 'node:zlib';
import encodeQr from 'qr';

const pixelsPerModule = 6;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function qrCode(text: string): string {
  const modules = encodeQr(text, 'raw', { ecc: 'medium', border: 4 });
  const size = modules.length * pixelsPerModule;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // One bit per pixel, greyscale.
  header[8] = 1;
  const rows = modules.flatMap((row) => Array<Buffer>(pixelsPerModule).fill(rowOf(row)));
  const parts = [
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return `data:image/png;base64,${Buffer.concat(parts).toString('base64')}`;
}

/** A filter byte, then eight pixels per byte; a white pixel is 1. */
function rowOf(modules: readonly boolean[]): Buffer {
  const pixels = modules.flatMap((isDark) => Array<boolean>(pixelsPerModule).fill(isDark));
  const row = Buffer.alloc(1 + Math.ceil(pixels.length / 8));
  pixels.forEach((isDark, at) => {
    if (!isDark) row[1 + (at >> 3)] = (row[1 + (at >> 3)] ?? 0) | (0x80 >> (at & 7));
  });
  return row;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
