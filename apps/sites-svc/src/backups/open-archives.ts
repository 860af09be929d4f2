import { Injectable } from '@nestjs/common';
import type { StoredPart } from '@vigie/contracts/backups';
import { AppError } from '@vigie/contracts/errors';
import { FileStore } from '@vigie/files/file-store';
import type { ObjectReader } from '@vigie/files/object-reader';
import { currentUser } from '@vigie/service-kit/context';
import { FairSlots } from '@vigie/service-kit/fair-slots';
import { headerLength, hex } from '@vigie/wpress/header';
import { Archive } from '@vigie/wpress/read-archive';
import { type ArchiveListing, findEntry, findTable, type ListedEntry, tableOf } from './archive-listing';
import { readTables } from './archive-tables';
import type { LocalBackup } from './local-backup.entity';

/** Cached entries of all archives together, at one or two hundred bytes each. */
const maxEntries = 500_000;
const maxArchives = 32;
/** The memory of an archive besides its entries, counted in entries. */
const archiveWeight = 1_000;
const maxConcurrent = 8;
const readMs = 60_000;
const dumpPath = 'database.sql';

type CachedListing = { listing: Promise<ArchiveListing>; entries: number };
type PartRequest = { path: string; kind: 'file' | 'table' };

/** Lists the contents of stored archives, and caches the last listings: objects never change. */
@Injectable()
export class OpenArchives {
  private readonly listings = new Map<string, CachedListing>();
  private readonly slots = new FairSlots(maxConcurrent);

  constructor(private readonly store: FileStore) {}

  async listingOf({ objectKey: key }: Pick<LocalBackup, 'objectKey'>): Promise<ArchiveListing> {
    const cached = this.listings.get(key) ?? { listing: this.read(key), entries: 0 };
    // Least recently used: the newest request goes to the end of the map.
    this.listings.delete(key);
    this.listings.set(key, cached);
    try {
      const listing = await cached.listing;
      cached.entries = listing.entries.length + listing.tables.length + archiveWeight;
      this.evictOld();
      return listing;
    } catch (error) {
      if (this.listings.get(key) === cached) this.listings.delete(key);
      throw error;
    }
  }

  async locate(backup: LocalBackup, request: PartRequest): Promise<StoredPart> {
    const { objectKey: key, size, sha256 } = backup;
    const listing = await this.listingOf(backup);
    const part = request.kind === 'table' ? partOfTable(listing, request.path) : partOfFile(listing, request.path);
    if (!part) throw new AppError('not_found', 'Cette archive ne contient rien de ce nom.');
    return { key, size, sha256, ...part };
  }

  async withReader<T>(key: string, work: (reader: ObjectReader) => Promise<T>): Promise<T> {
    const reader = await this.store.reader(key);
    if (!reader) throw new AppError('not_found', 'Cette sauvegarde n’est plus dans le stockage de Vigie.');
    try {
      return await work(reader);
    } finally {
      await reader.close();
    }
  }

  /** Slow: reads all headers, and the whole dump. */
  private async read(key: string): Promise<ArchiveListing> {
    const release = this.slots.acquire(currentUser().sub);
    if (!release) throw tooMany();
    try {
      return await this.withReader(key, readListing);
    } catch (error) {
      throw error instanceof DOMException && error.name === 'TimeoutError' ? tooLong(error) : error;
    } finally {
      release();
    }
  }

  private evictOld(): void {
    let total = [...this.listings.values()].reduce((sum, { entries }) => sum + entries, 0);
    for (const [key, { entries }] of this.listings) {
      if ((total <= maxEntries && this.listings.size <= maxArchives) || this.listings.size === 1) return;
      total -= entries;
      this.listings.delete(key);
    }
  }
}

const noDefinitions = { foreignKeys: [], triggers: [], views: [] };

async function readListing(reader: ObjectReader): Promise<ArchiveListing> {
  const archive = await Archive.open(reader);
  const entries: ListedEntry[] = [];
  const signal = AbortSignal.timeout(readMs);
  for await (const { path, size, mtime, crc, at } of archive.entries({ maxEntries, signal })) {
    entries.push({ path, size, mtime, crc, at });
  }
  const base = entries.find(({ path }) => path === dumpPath);
  const tables = base ? await readTables(reader, base, archive.about) : [];
  const { about } = archive;
  // The definitions, which only a restore needs, may be of any length.
  const note = about.note && { ...about.note, definitions: noDefinitions };
  return { about: { ...about, note }, entries: entries.sort((a, b) => (a.path < b.path ? -1 : 1)), tables };
}

function partOfFile(listing: ArchiveListing, path: string) {
  const entry = findEntry(listing, path);
  if (!entry) return undefined;
  const { at, size, crc } = entry;
  const filename = path.slice(path.lastIndexOf('/') + 1);
  return { filename, at: at + headerLength, length: size, crc: crc === null ? null : hex(crc) };
}

function partOfTable(listing: ArchiveListing, path: string) {
  const table = findTable(listing, tableOf(path));
  return table && { filename: `${table.name}.sql`, at: table.at, length: table.length, crc: null };
}

const tooLong = (cause: unknown) =>
  new AppError('invalid', 'Cette archive contient trop de fichiers pour être ouverte à temps.', { cause });

const tooMany = () =>
  new AppError('too_many', 'Trop d’archives s’ouvrent à la fois. Réessayez dans quelques secondes.', { retryAfter: 3 });
