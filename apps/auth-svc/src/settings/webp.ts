import { logoRefusal, refuseLargeSides } from './logo-refusal';

/** RIFF, its size, and WEBP. */
const riffHeader = 12;
const chunkHeader = 8;

/** The VP8X flags of the chunks that are kept: colour profile and transparency. */
const keptFlags = 0x30;

type Chunk = { readonly type: string; readonly data: Buffer };
type Size = { readonly width: number; readonly height: number };

/**
 * Returns the WebP without the chunks that do not draw, or undefined when its bytes are not a WebP from start to end.
 */
export function sanitiseWebp(bytes: Buffer): Buffer | undefined {
  if (bytes.length < riffHeader || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (bytes.toString('latin1', 8, 12) !== 'WEBP' || bytes.readUInt32LE(4) !== bytes.length - 8) return undefined;
  const chunks = readChunks(bytes.subarray(riffHeader));
  if (!chunks) return undefined;
  if (chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) throw logoRefusal('il ne peut pas être animé.');
  const [first] = chunks;
  if (first?.type !== 'VP8X') return chunks.length === 1 && first && sizeOf(first) ? bytes : undefined;
  return sanitiseExtended(first, chunks.slice(1));
}

function readChunks(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < chunkHeader) return undefined;
    const start = at + chunkHeader;
    const end = start + bytes.readUInt32LE(at + 4);
    // Chunks start at even offsets.
    at = end + (end % 2);
    if (at > bytes.length || (at > end && bytes[end] !== 0)) return undefined;
    chunks.push({ type: bytes.toString('latin1', start - chunkHeader, start - 4), data: bytes.subarray(start, end) });
  }
  return chunks;
}

/** Expects a canvas, then perhaps a profile and transparency, then one picture that fills it; metadata may follow. */
function sanitiseExtended({ data: header }: Chunk, chunks: readonly Chunk[]): Buffer | undefined {
  if (header.length !== 10) return undefined;
  const drawing = chunks.filter(({ type }) => type !== 'EXIF' && type !== 'XMP ');
  if (!/^(?:ICCP )?(?:(?:ALPH )?VP8 |VP8L)$/.test(drawing.map(({ type }) => type).join(' '))) return undefined;
  const picture = drawing.at(-1);
  const size = picture && sizeOf(picture);
  const canvas = { width: header.readUIntLE(4, 3) + 1, height: header.readUIntLE(7, 3) + 1 };
  if (size?.width !== canvas.width || size.height !== canvas.height) return undefined;
  const keptHeader = Buffer.from(header);
  keptHeader.writeUInt32LE(header.readUInt8(0) & keptFlags, 0);
  return writeWebp([{ type: 'VP8X', data: keptHeader }, ...drawing]);
}

/** Returns undefined when the first bytes of the chunk are not those of a picture. */
function sizeOf({ type, data }: Chunk): Size | undefined {
  const size = type === 'VP8 ' ? lossySize(data) : type === 'VP8L' ? losslessSize(data) : undefined;
  const sides = size ? [size.width, size.height] : [0];
  refuseLargeSides(sides);
  return sides.includes(0) ? undefined : size;
}

/** https://www.rfc-editor.org/rfc/rfc6386#section-9.1 */
function lossySize(data: Buffer): Size | undefined {
  if (data.length <= 10 || data.readUIntBE(3, 3) !== 0x9d012a) return undefined;
  const tag = data.readUIntLE(0, 3);
  const isVisibleKeyFrame = (tag & 0x11) === 0x10;
  if (!isVisibleKeyFrame || ((tag >> 1) & 7) > 3 || tag >> 5 > data.length - 10) return undefined;
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/** https://www.rfc-editor.org/rfc/rfc9649#section-3.4 */
function losslessSize(data: Buffer): Size | undefined {
  if (data.length <= 5 || data[0] !== 0x2f) return undefined;
  const bits = data.readUInt32LE(1);
  const version = bits >>> 29;
  return version === 0 ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : undefined;
}

function writeWebp(chunks: readonly Chunk[]): Buffer {
  const body = Buffer.concat(
    chunks.flatMap(({ type, data }) => [writeHeader(type, data.length), data, Buffer.alloc(data.length % 2)]),
  );
  return Buffer.concat([writeHeader('RIFF', body.length + 4), Buffer.from('WEBP'), body]);
}

function writeHeader(type: string, length: number): Buffer {
  const header = Buffer.alloc(chunkHeader);
  header.write(type, 'latin1');
  header.writeUInt32LE(length, 4);
  return header;
}
