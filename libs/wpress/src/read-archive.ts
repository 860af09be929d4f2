import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type PackageInfo, maxPackageInfoBytes, readPackageInfo } from './package-info';
import { PathClaims, pathOf, decodePath } from './entry-path';
import { decodeEnd, decodeHeader, type End, headerLength, isZero } from './header';
import { readHeadersAhead } from './read-ahead';
import { damaged, quote, refuse } from './refusal';
import type { Source } from './source';

export type Entry = {
  /** Decoded when it is UTF-8. */
  path: string;
  /** One character per byte, so that different entries always have different paths. */
  rawPath: string;
  size: number;
  /** Seconds since 1970. */
  mtime: number;
  crc: number | null;
  /** Offset of its header, which the content follows. */
  at: number;
};

type Options = { maxEntries?: number; isCaseless?: boolean; signal?: AbortSignal };

const maxEntries = 1_000_000;
/** Limit for the names of all entries together, because a list of the archive is kept in memory. */
const maxNameBytes = 64 * 1_048_576;
const yieldEvery = 64;
const chunkBytes = 262_144;
const firstPath = 'package.json';

/** An archive whose end and first entry were checked. The other entries are checked as they are read. */
export class Archive {
  private constructor(
    private readonly source: Source,
    readonly end: End,
    readonly first: Entry,
    readonly about: PackageInfo,
  ) {}

  static async open(source: Source): Promise<Archive> {
    if (source.size < 2 * headerLength) throw notAnArchive();
    const endAt = source.size - headerLength;
    const end = decodeEnd(await source.read(endAt, headerLength));
    if (!end) throw missingEnd();
    if (end.version === 2 && end.length !== endAt) throw damaged('Cette archive n’a pas la longueur qu’elle annonce.');
    const entry = await readEntry(source, 0, endAt);
    if (entry.rawPath !== firstPath) {
      throw damaged(`Cette archive ne commence pas par son fichier package.json, mais par ${quote(entry.path)}.`);
    }
    if (entry.size > maxPackageInfoBytes) throw damaged('Le fichier package.json de cette archive est démesuré.');
    const content = await source.read(headerLength, entry.size);
    if (entry.crc !== null && crc32(content) !== entry.crc) throw wrongContent(entry.path);
    return new Archive(source, end, entry, readPackageInfo(content));
  }

  get endAt(): number {
    return this.source.size - headerLength;
  }

  /** Yields the entries in order, with at most one small read each; throws when the archive is damaged. */
  async *entries(options: Options = {}): AsyncGenerator<Entry> {
    const claims = new PathClaims(options.isCaseless);
    const source = readHeadersAhead(this.source);
    let [count, nameBytes] = [0, 0];
    for (let at = 0; at < this.endAt; ) {
      // Headers that were read together need no I/O, so other work gets its turn here.
      if (count % yieldEvery === 0) await setImmediate();
      options.signal?.throwIfAborted();
      const entry = await readEntry(source, at, this.endAt);
      claims.add(entry.rawPath);
      count += 1;
      nameBytes += entry.rawPath.length;
      if (count > (options.maxEntries ?? maxEntries) || nameBytes > maxNameBytes) throw tooMany(count - 1);
      yield entry;
      at = endOf(entry);
    }
  }

  async find(path: string, options?: Options): Promise<Entry | undefined> {
    for await (const entry of this.entries(options)) if (entry.path === path || entry.rawPath === path) return entry;
    return undefined;
  }

  /** Yields the content of one entry. If it has a checksum, its last bytes come only when all of them match. */
  async *content(entry: Entry): AsyncGenerator<Buffer> {
    const current = await readEntry(this.source, entry.at, this.endAt);
    if (current.rawPath !== entry.rawPath || current.size !== entry.size) throw new Error('no entry of this archive');
    let sum = 0;
    let lastChunk: Buffer | undefined;
    for (let at = entry.at + headerLength; at < endOf(entry); at += chunkBytes) {
      const chunk = await this.source.read(at, Math.min(chunkBytes, endOf(entry) - at));
      if (entry.crc !== null) sum = crc32(chunk, sum);
      if (lastChunk) yield lastChunk;
      lastChunk = chunk;
    }
    if (entry.crc !== null && sum !== entry.crc) throw wrongContent(entry.path);
    if (lastChunk) yield lastChunk;
  }
}

const endOf = ({ at, size }: Entry) => at + headerLength + size;

async function readEntry(source: Source, at: number, endAt: number): Promise<Entry> {
  if (at + headerLength > endAt) throw cutHeader();
  const block = await source.read(at, headerLength);
  if (isZero(block)) throw damaged('Cette archive contient des données après sa fin.');
  const header = decodeHeader(block);
  const rawPath = pathOf(header);
  const entry = { path: decodePath(rawPath), rawPath, size: header.size, mtime: header.mtime, crc: header.crc, at };
  if (endOf(entry) > endAt) throw damaged(`La taille de ${quote(entry.path)} dépasse celle de l’archive.`);
  return entry;
}

export const wrongContent = (path: string) => damaged(`Le contenu de ${quote(path)} est abîmé.`);

const notAnArchive = () =>
  refuse('no_archive', 'Ce fichier n’est pas une archive .wpress.', 'Choisissez un fichier .wpress.');

const missingEnd = () =>
  damaged(
    'Cette archive est incomplète, ou suivie d’autres données\u00a0: sa fin n’est pas celle d’une archive .wpress.',
  );

const cutHeader = () => damaged('Cette archive est coupée au milieu d’un en-tête.');

const tooMany = (max: number) =>
  refuse('too_many', `Cette archive contient plus de ${max} fichiers.`, 'Vérifiez d’où elle vient.');
