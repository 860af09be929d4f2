import { damaged } from './refusal';

/** Version 2 has a CRC-32 in each header and over the whole archive; plugins before 7.104 refuse it. */
export type Version = 1 | 2;

/** `name` and `folder` are bytes, because file systems know no encoding. */
export type Header = { name: Buffer; folder: Buffer; size: number; mtime: number; crc: number | null };

export const headerLength = 4_377;
const sizeAt = 255;
const mtimeAt = 269;
const folderAt = 281;
const crcAt = 4_369;
/** Longer than any real path, so that the last bytes of the field can only be the checksum. */
const maxFolderLength = 4_000;

export const hex = (crc: number) => crc.toString(16).padStart(8, '0');

export function encodeHeader({ name, folder, size, mtime, crc }: Header): Buffer {
  const block = Buffer.alloc(headerLength);
  writeField(block, name, 0, sizeAt);
  writeField(block, Buffer.from(String(size)), sizeAt, mtimeAt);
  writeField(block, Buffer.from(String(mtime)), mtimeAt, folderAt);
  writeField(block, folder, folderAt, folderAt + maxFolderLength);
  if (crc !== null) block.write(hex(crc), crcAt, 'latin1');
  return block;
}

function writeField(block: Buffer, bytes: Buffer, from: number, to: number): void {
  if (bytes.length > to - from) throw new RangeError(`${bytes.length} bytes where ${to - from} have room`);
  bytes.copy(block, from);
}

export function decodeHeader(block: Buffer): Header {
  const sum = block.subarray(crcAt);
  const crc = isZero(sum) ? null : readCrc(sum);
  const header = {
    name: readBytes(block.subarray(0, sizeAt)),
    size: readNumber(block.subarray(sizeAt, mtimeAt), /^\d{1,14}$/),
    mtime: readNumber(block.subarray(mtimeAt, folderAt), /^-?\d{1,11}$|^\d{12}$/),
    folder: readBytes(block.subarray(folderAt, crcAt)),
    crc,
  };
  if (header.folder.length > maxFolderLength) throw invalidHeader();
  return header;
}

const zeros = Buffer.alloc(headerLength);

export const isZero = (bytes: Buffer) => bytes.equals(zeros.subarray(0, bytes.length));

const invalidHeader = () => damaged('Cette archive est abîmée\u00a0: l’un de ses en-têtes n’est pas valide.');

/** A field may be full; after its end there are only zeros. */
function readBytes(field: Buffer): Buffer {
  const end = field.indexOf(0);
  if (end < 0) return field;
  if (!isZero(field.subarray(end))) throw invalidHeader();
  return field.subarray(0, end);
}

function readNumber(field: Buffer, form: RegExp): number {
  const digits = readBytes(field).toString('latin1');
  if (!form.test(digits)) throw invalidHeader();
  return Number(digits);
}

function readCrc(field: Buffer): number {
  const digits = field.toString('latin1');
  if (!/^[0-9a-f]{8}$/.test(digits)) throw invalidHeader();
  return Number.parseInt(digits, 16);
}

/** `length` and `crc` cover everything before the end block. */
export function encodeEnd(version: Version, length: number, crc: number): Buffer {
  const block = Buffer.alloc(headerLength);
  if (version === 1) return block;
  writeField(block, Buffer.from(String(length)), sizeAt, mtimeAt);
  block.write(hex(crc), crcAt, 'latin1');
  return block;
}

export type End = { version: 1 } | { version: 2; length: number; crc: number };

export function decodeEnd(block: Buffer): End | undefined {
  if (isZero(block)) return { version: 1 };
  const digits = block.toString('latin1', sizeAt, mtimeAt).replace(/\0+$/, '');
  const sum = block.toString('latin1', crcAt);
  if (!/^\d{1,14}$/.test(digits) || !/^[0-9a-f]{8}$/.test(sum)) return undefined;
  const end = { version: 2, length: Number(digits), crc: Number.parseInt(sum, 16) } as const;
  return encodeEnd(2, end.length, end.crc).equals(block) ? end : undefined;
}
