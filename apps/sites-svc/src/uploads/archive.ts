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
/** Lengths of a data descriptor: with or without signature, sizes of four or eight bytes. */
const descriptorLengths = new Set([12, 16, 20, 24]);

const maxUnpacked = 2 * 1024 * 1024 * 1024;
/** A smaller archive is harmless at any compression ratio. */
const minSuspiciousBytes = 64 * 1024 * 1024;
const maxRatio = 100;
/** Small entries are inflated in one piece, which is cheaper than a stream. */
const maxSmallPacked = 64 * 1024;
const maxSmallSize = 512 * 1024;

export async function listArchive(reader: ObjectReader): Promise<Listing> {
  const tailSize = Math.min(tailLength, reader.size);
  const directory = findDirectory(await reader.read(reader.size - tailSize, tailSize), reader.size);
  const entries = readDirectory(await reader.read(directory.at, directory.length), directory);
  const unpacked = entries.reduce((total, { size }) => total + size, 0);
  if (unpacked > maxUnpacked || unpacked > Math.max(minSuspiciousBytes, maxRatio * reader.size)) {
    const remedy = 'Vérifiez d’où elle vient, et n’installez pas ce fichier.';
    throw refuseArchive('Une fois décompressée, cette archive serait démesurée.', remedy);
  }
  return { entries, directoryAt: directory.at, unpacked };
}

/**
 * Reads the whole archive and refuses it unless every byte belongs to one entry, every local header agrees with the
 * directory, and every content has the announced length. Returns the beginnings of the wanted files.
 */
export async function walkArchive(
  reader: ObjectReader,
  { entries, directoryAt }: Listing,
  wantedNames: ReadonlySet<string>,
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
    const head = await checkContent(reader, entry, dataAt, wantedNames.has(entry.name) ? headBytes : 0);
    if (wantedNames.has(entry.name)) heads.set(entry.name, head);
    at = next;
  }
  return heads;
}

const strayBytes = () => refuseArchive('Cette archive contient des données qui n’appartiennent à aucun fichier.');
const contradiction = (name: string) => refuseArchive(`Cette archive se contredit au sujet de ${quote(name)}.`);
const damagedContent = (name: string) => refuseArchive(`Le contenu de ${quote(name)} est abîmé.`);

/** Returns where the content begins. */
async function readLocal(reader: ObjectReader, entry: ZipEntry, directoryAt: number): Promise<number> {
  if (entry.at + localLength > directoryAt) throw contradiction(entry.name);
  const header = await reader.read(entry.at, localLength);
  const [nameLength, extraLength] = [header.readUInt16LE(26), header.readUInt16LE(28)];
  const dataAt = entry.at + localLength + nameLength + extraLength;
  if (header.readUInt32LE(0) !== localMark || dataAt + entry.packed > directoryAt) throw contradiction(entry.name);
  const rest = await reader.read(entry.at + localLength, nameLength + extraLength);
  const isSameName = rest.subarray(0, nameLength).equals(entry.rawName);
  const isSameMethod = header.readUInt16LE(8) === (entry.isDeflated ? 8 : 0);
  const isSameFlags = header.readUInt16LE(6) === entry.flags;
  if (!isSameName || !isSameMethod || !isSameFlags) throw contradiction(entry.name);
  if (!matchesDirectory(header, rest.subarray(nameLength), entry)) throw contradiction(entry.name);
  return dataAt;
}

/** A local header may be all zeros when a data descriptor follows the content. */
function matchesDirectory(header: Buffer, extra: Buffer, { flags, crc, packed, size }: ZipEntry): boolean {
  const sizes = { crc: header.readUInt32LE(14), packed: header.readUInt32LE(18), size: header.readUInt32LE(22) };
  const large = sizes.packed === 0xffffffff && sizes.size === 0xffffffff ? largeSizes(extra) : undefined;
  const local = { ...sizes, ...large };
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
  const isSmall = entry.packed <= maxSmallPacked && entry.size <= maxSmallSize;
  const { name, packed, size, crc } = entry;
  if (isSmall) {
    const raw = await reader.read(at, packed);
    const content = entry.isDeflated ? inflateWhole(raw, entry) : raw;
    if (content.length !== size || crc32(content) !== crc) throw damagedContent(name);
    return Buffer.from(content.subarray(0, headBytes));
  }
  const content = new Content(size, headBytes);
  const chunks = reader.chunks(at, at + packed);
  if (entry.isDeflated) await inflateInto(content, chunks, entry);
  else for await (const chunk of chunks) content.write(chunk);
  if (!content.isWhole(crc)) throw damagedContent(name);
  return content.head;
}

function inflateWhole(raw: Buffer, { name, size }: ZipEntry): Buffer {
  try {
    const options = { maxOutputLength: Math.max(1, size), info: true };
    // The declarations of zlib omit that `info` also returns the engine.
    const { buffer, engine } = inflateRawSync(raw, options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (engine.bytesWritten !== raw.length) throw damagedContent(name);
    return buffer;
  } catch {
    throw damagedContent(name);
  }
}

async function inflateInto(
  content: Content,
  chunks: AsyncGenerator<Buffer>,
  { name, packed }: ZipEntry,
): Promise<void> {
  const inflate = createInflateRaw();
  const drain = async (inflated: AsyncIterable<Buffer>) => {
    for await (const chunk of inflated) content.write(chunk);
  };
  await pipeline(chunks, inflate, drain).catch(() => {
    throw damagedContent(name);
  });
  if (inflate.bytesWritten !== packed) throw damagedContent(name);
}

/** The content of an entry: its length, its checksum, and no more than its beginning. */
class Content {
  private length = 0;
  private sum = 0;
  private readonly heads: Buffer[] = [];

  constructor(
    private readonly size: number,
    private readonly headBytes: number,
  ) {}

  write(chunk: Buffer): void {
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
