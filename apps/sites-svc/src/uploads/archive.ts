import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import {
  findDirectory,
  quote,
  readDirectory,
  refuseArchive,
  tailLength,
  viewOf,
  type ZipEntry,
} from '@vigie/contracts/zip-directory';
import type { ObjectReader } from '@vigie/files/object-reader';

type Listing = { entries: ZipEntry[]; directoryAt: number; unpacked: number };

const localMark = 0x04034b50;
const localLength = 30;
const hasDescriptor = 8;
const zip64Extra = 1;
/** What may follow the data of an entry whose sizes come behind it: with or without a mark, of four or eight bytes. */
const descriptorLengths = new Set([12, 16, 20, 24]);

const maxUnpacked = 2 * 1024 * 1024 * 1024;
/** Below this no ratio is a bomb. */
const harmless = 64 * 1024 * 1024;
const maxRatio = 100;
/** Cheaper in one piece than as a stream. */
const smallPacked = 64 * 1024;
const smallSize = 512 * 1024;

export async function listArchive(reader: ObjectReader): Promise<Listing> {
  const tailSize = Math.min(tailLength, reader.size);
  const place = findDirectory(await reader.read(reader.size - tailSize, tailSize), reader.size);
  const entries = readDirectory(await reader.read(place.at, place.length), place);
  const unpacked = entries.reduce((total, { size }) => total + size, 0);
  if (unpacked > maxUnpacked || unpacked > Math.max(harmless, maxRatio * reader.size)) {
    const remedy = 'Vérifiez d’où elle vient, et n’installez pas ce fichier.';
    throw refuseArchive('Une fois décompressée, cette archive serait démesurée.', remedy);
  }
  return { entries, directoryAt: place.at, unpacked };
}

/**
 * Reads all of it, as a disk would get it: each byte belongs to one entry, each local header says what the directory
 * says, and each content is as long as announced. Gives the beginnings of the wanted files.
 */
export async function walkArchive(
  reader: ObjectReader,
  { entries, directoryAt }: Listing,
  wanted: ReadonlySet<string>,
  headBytes: number,
): Promise<Map<string, Buffer>> {
  const heads = new Map<string, Buffer>();
  const inOrder = entries.toSorted((a, b) => a.at - b.at);
  let at = 0;
  for (const [n, entry] of inOrder.entries()) {
    if (entry.at !== at) throw strayBytes();
    const dataAt = await readLocal(reader, entry, directoryAt);
    const end = dataAt + entry.packed;
    const next = inOrder[n + 1]?.at ?? directoryAt;
    const rest = next - end;
    const isDescribed = (entry.flags & hasDescriptor) !== 0;
    if (rest !== 0 && !(isDescribed && descriptorLengths.has(rest))) throw strayBytes();
    const head = await checkContent(reader, entry, dataAt, wanted.has(entry.name) ? headBytes : 0);
    if (wanted.has(entry.name)) heads.set(entry.name, head);
    at = next;
  }
  return heads;
}

const strayBytes = () => refuseArchive('Cette archive contient des données qui n’appartiennent à aucun fichier.');
const disagrees = (name: string) => refuseArchive(`Cette archive se contredit au sujet de ${quote(name)}.`);
const isWrong = (name: string) => refuseArchive(`Le contenu de ${quote(name)} est abîmé.`);

/** Where the content begins. */
async function readLocal(reader: ObjectReader, entry: ZipEntry, directoryAt: number): Promise<number> {
  if (entry.at + localLength > directoryAt) throw disagrees(entry.name);
  const header = await reader.read(entry.at, localLength);
  const [nameLength, extraLength] = [header.readUInt16LE(26), header.readUInt16LE(28)];
  const dataAt = entry.at + localLength + nameLength + extraLength;
  if (header.readUInt32LE(0) !== localMark || dataAt + entry.packed > directoryAt) throw disagrees(entry.name);
  const rest = await reader.read(entry.at + localLength, nameLength + extraLength);
  const isSameName = rest.subarray(0, nameLength).equals(entry.rawName);
  const isSameMethod = header.readUInt16LE(8) === (entry.isDeflated ? 8 : 0);
  const isSameFlags = header.readUInt16LE(6) === entry.flags;
  if (!isSameName || !isSameMethod || !isSameFlags) throw disagrees(entry.name);
  if (!saysTheSame(header, rest.subarray(nameLength), entry)) throw disagrees(entry.name);
  return dataAt;
}

/** Sizes and checksum may come behind the content instead, and then be nothing here. */
function saysTheSame(header: Buffer, extra: Buffer, { flags, crc, packed, size }: ZipEntry): boolean {
  const said = { crc: header.readUInt32LE(14), packed: header.readUInt32LE(18), size: header.readUInt32LE(22) };
  const large = said.packed === 0xffffffff && said.size === 0xffffffff ? largeSizes(extra) : undefined;
  const local = { ...said, ...large };
  const isSame = local.crc === crc && local.packed === packed && local.size === size;
  const isLater = local.crc === 0 && local.packed === 0 && local.size === 0;
  return isSame || ((flags & hasDescriptor) !== 0 && isLater);
}

function largeSizes(extra: Buffer): { packed: number; size: number } | undefined {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== zip64Extra || at + 20 > extra.length) continue;
    return { size: Number(view.getBigUint64(at + 4, true)), packed: Number(view.getBigUint64(at + 12, true)) };
  }
  return undefined;
}

async function checkContent(reader: ObjectReader, entry: ZipEntry, at: number, headBytes: number): Promise<Buffer> {
  const isSmall = entry.packed <= smallPacked && entry.size <= smallSize;
  const { name, packed, size, crc } = entry;
  if (isSmall) {
    const raw = await reader.read(at, packed);
    const content = entry.isDeflated ? inflateWhole(raw, entry) : raw;
    if (content.length !== size || crc32(content) !== crc) throw isWrong(name);
    return Buffer.from(content.subarray(0, headBytes));
  }
  const seen = new Content(size, headBytes);
  const chunks = reader.chunks(at, at + packed);
  if (entry.isDeflated) await inflateInto(seen, chunks, entry);
  else for await (const chunk of chunks) seen.take(chunk);
  if (!seen.isWhole(crc)) throw isWrong(name);
  return seen.head;
}

function inflateWhole(raw: Buffer, { name, size }: ZipEntry): Buffer {
  try {
    const options = { maxOutputLength: Math.max(1, size), info: true };
    // What zlib's declarations leave out: with `info` the engine comes along.
    const { buffer, engine } = inflateRawSync(raw, options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (engine.bytesWritten !== raw.length) throw isWrong(name);
    return buffer;
  } catch {
    throw isWrong(name);
  }
}

async function inflateInto(seen: Content, chunks: AsyncGenerator<Buffer>, { name, packed }: ZipEntry): Promise<void> {
  const inflate = createInflateRaw();
  const take = async (content: AsyncIterable<Buffer>) => {
    for await (const chunk of content) seen.take(chunk);
  };
  await pipeline(chunks, inflate, take).catch(() => {
    throw isWrong(name);
  });
  if (inflate.bytesWritten !== packed) throw isWrong(name);
}

/** What comes out of an entry, of which no more than its beginning is kept. */
class Content {
  private length = 0;
  private sum = 0;
  private readonly heads: Buffer[] = [];

  constructor(
    private readonly size: number,
    private readonly headBytes: number,
  ) {}

  take(chunk: Buffer): void {
    if (this.length < this.headBytes) this.heads.push(Buffer.from(chunk.subarray(0, this.headBytes - this.length)));
    this.length += chunk.length;
    if (this.length > this.size) throw new Error('longer than announced');
    this.sum = crc32(chunk, this.sum);
  }

  isWhole(crc: number): boolean {
    return this.length === this.size && this.sum === crc;
  }

  get head(): Buffer {
    return Buffer.concat(this.heads);
  }
}
