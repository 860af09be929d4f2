import { crc32 } from 'node:zlib';
import { refuseLargeSides } from './logo-refusal';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of a chunk beside its data: length, type and checksum. */
const chunkOverhead = 12;

/** Chunks that change a still picture. The others hold metadata or animate it. */
const drawingTypes = new Set('IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs'.split(' '));
const depths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

type Chunk = { readonly type: string; readonly data: Buffer; readonly raw: Buffer };

/** Returns the PNG without the chunks that do not draw, or undefined when its bytes are not a PNG from start to end. */
export function sanitisePng(bytes: Buffer): Buffer | undefined {
  if (!bytes.subarray(0, signature.length).equals(signature)) return undefined;
  const chunks = readChunks(bytes.subarray(signature.length));
  if (!chunks || !isWhole(chunks)) return undefined;
  return Buffer.concat([signature, ...chunks.filter(({ type }) => drawingTypes.has(type)).map(({ raw }) => raw)]);
}

function readChunks(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < chunkOverhead) return undefined;
    const end = at + chunkOverhead + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    const body = bytes.subarray(at + 4, end - 4);
    if (crc32(body) !== bytes.readUInt32BE(end - 4)) return undefined;
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4), raw: bytes.subarray(at, end) });
    at = end;
  }
  return chunks;
}

function isWhole(chunks: readonly Chunk[]): boolean {
  const types = chunks.map(({ type }) => type);
  const [header] = chunks;
  if (header?.type !== 'IHDR' || !isHeader(header.data)) return false;
  // A lower-case first letter marks a chunk that readers may skip.
  if (types.some((type) => !drawingTypes.has(type) && !/^[a-z][A-Za-z]{3}$/.test(type))) return false;
  const countOf = (countedType: string) => types.filter((type) => type === countedType).length;
  if (countOf('IHDR') !== 1 || countOf('IEND') !== 1 || countOf('PLTE') > 1) return false;
  if (types.at(-1) !== 'IEND' || chunks.at(-1)?.data.length !== 0) return false;
  const first = types.indexOf('IDAT');
  if (first === -1 || types.lastIndexOf('IDAT') - first + 1 !== countOf('IDAT')) return false;
  if (chunks.every(({ type, data }) => type !== 'IDAT' || data.length === 0)) return false;
  const palette = types.indexOf('PLTE');
  return palette === -1 ? header.data[9] !== 3 : palette < first;
}

function isHeader(data: Buffer): boolean {
  if (data.length !== 13) return false;
  const sides = [data.readUInt32BE(0), data.readUInt32BE(4)];
  refuseLargeSides(sides);
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = data.subarray(8);
  return (
    !sides.includes(0) &&
    depths[colour]?.includes(depth) === true &&
    compression === 0 &&
    filter === 0 &&
    interlace <= 1
  );
}
