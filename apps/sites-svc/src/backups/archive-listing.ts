import type { ArchiveAbout, ArchiveEntry } from '@vigie/contracts/backups';
import type { PackageInfo } from '@vigie/wpress/package-info';

/** Entries are sorted by path. */
export type ListedEntry = { path: string; size: number; mtime: number; crc: number | null; at: number };
export type ListedTable = { name: string; at: number; length: number; rows: number | null };
export type ArchiveListing = { about: PackageInfo; entries: ListedEntry[]; tables: ListedTable[] };

/** The dump is listed like a folder of tables. */
const dumpPath = 'database.sql';
const maxTimestamp = 253_402_300_799;

export const toAbout = ({ about, entries }: ArchiveListing): ArchiveAbout => ({
  site_url: about.siteUrl ?? about.homeUrl,
  wordpress: about.wordpress.version,
  php: about.php.version,
  database: about.database.version,
  plugins: about.plugins.length,
  theme: about.stylesheet,
  entries: entries.length,
  is_ours: about.note !== null,
});

export const tableOf = (path: string) => (path.startsWith(`${dumpPath}/`) ? path.slice(dumpPath.length + 1) : path);

export const findTable = ({ tables }: ArchiveListing, name: string) => tables.find((table) => table.name === name);

export function findEntry({ entries }: ArchiveListing, path: string): ListedEntry | undefined {
  const entry = entries[lowerBound(entries, path)];
  return entry?.path === path ? entry : undefined;
}

/** Returns the index of the first entry whose path is not before this one. */
function lowerBound(entries: readonly ListedEntry[], path: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.path ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entries of a folder are adjacent, and `0` is the character after the slash. */
function entriesBelow({ entries }: ArchiveListing, folder: string): ListedEntry[] {
  if (folder === '') return entries;
  return entries.slice(lowerBound(entries, `${folder}/`), lowerBound(entries, `${folder}0`));
}

const toFile = ({ path, size, mtime }: ListedEntry): ArchiveEntry => ({
  kind: 'file',
  name: path.slice(path.lastIndexOf('/') + 1),
  path,
  size,
  count: null,
  mtime: mtime >= 0 && mtime <= maxTimestamp ? new Date(mtime * 1000).toISOString() : null,
});

const toTable = ({ name, length, rows }: ListedTable): ArchiveEntry => ({
  kind: 'table',
  name,
  path: `${dumpPath}/${name}`,
  size: length,
  count: rows,
  mtime: null,
});

/** Lists folders before files. Undefined for an unknown folder. */
export function listFolder(listing: ArchiveListing, folder: string): ArchiveEntry[] | undefined {
  if (folder === dumpPath && findEntry(listing, dumpPath)) return listing.tables.map(toTable);
  const entriesInside = entriesBelow(listing, folder);
  if (entriesInside.length === 0 && folder !== '') return undefined;
  const start = folder === '' ? 0 : folder.length + 1;
  const folders = new Map<string, ArchiveEntry & { count: number }>();
  const files: ArchiveEntry[] = [];
  for (const entry of entriesInside) {
    const slash = entry.path.indexOf('/', start);
    if (slash < 0) {
      files.push(toFile(entry));
      continue;
    }
    const path = entry.path.slice(0, slash);
    const folderEntry = folders.get(path);
    if (folderEntry) {
      folderEntry.size += entry.size;
      folderEntry.count += 1;
    } else {
      folders.set(path, { kind: 'folder', name: path.slice(start), path, size: entry.size, count: 1, mtime: null });
    }
  }
  return [...folders.values(), ...files];
}

/** Ignores case and Unicode form. */
export function search(listing: ArchiveListing, folder: string, words: string): ArchiveEntry[] {
  const needle = words.toLowerCase().normalize('NFC');
  const matches = (path: string) => path.toLowerCase().normalize('NFC').includes(needle);
  const files = folder === dumpPath ? [] : entriesBelow(listing, folder).filter(({ path }) => matches(path));
  const tables = folder === '' || folder === dumpPath ? listing.tables.filter(({ name }) => matches(name)) : [];
  return [...tables.map(toTable), ...files.map(toFile)];
}
