import type { ArchiveAbout, ArchiveEntry } from '@vigie/contracts/backups';
import type { About } from '@vigie/wpress/about';

/** `path`: as text, in the order of which they stand. */
export type ListedEntry = { path: string; size: number; mtime: number; crc: number | null; at: number };
export type ListedTable = { name: string; at: number; length: number; rows: number | null };
export type ArchiveListing = { about: About; entries: ListedEntry[]; tables: ListedTable[] };

/** Its tables are listed as if it were a folder. */
const dump = 'database.sql';
const latest = 253_402_300_799;

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

export const tableOf = (path: string) => (path.startsWith(`${dump}/`) ? path.slice(dump.length + 1) : path);

export const findTable = ({ tables }: ArchiveListing, name: string) => tables.find((table) => table.name === name);

export function findEntry({ entries }: ArchiveListing, path: string): ListedEntry | undefined {
  const found = entries[firstAt(entries, path)];
  return found?.path === path ? found : undefined;
}

/** The first whose path is not before this one. */
function firstAt(entries: readonly ListedEntry[], path: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.path ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All below a folder stand side by side: `0` follows the slash. */
function below({ entries }: ArchiveListing, folder: string): ListedEntry[] {
  if (folder === '') return entries;
  return entries.slice(firstAt(entries, `${folder}/`), firstAt(entries, `${folder}0`));
}

const toFile = ({ path, size, mtime }: ListedEntry): ArchiveEntry => ({
  kind: 'file',
  name: path.slice(path.lastIndexOf('/') + 1),
  path,
  size,
  count: null,
  mtime: mtime >= 0 && mtime <= latest ? new Date(mtime * 1000).toISOString() : null,
});

const toTable = ({ name, length, rows }: ListedTable): ArchiveEntry => ({
  kind: 'table',
  name,
  path: `${dump}/${name}`,
  size: length,
  count: rows,
  mtime: null,
});

/** Folders before files, each by name; undefined where there is no such folder. */
export function listFolder(listing: ArchiveListing, folder: string): ArchiveEntry[] | undefined {
  if (folder === dump && findEntry(listing, dump)) return listing.tables.map(toTable);
  const inside = below(listing, folder);
  if (inside.length === 0 && folder !== '') return undefined;
  const start = folder === '' ? 0 : folder.length + 1;
  const folders = new Map<string, ArchiveEntry & { count: number }>();
  const files: ArchiveEntry[] = [];
  for (const entry of inside) {
    const slash = entry.path.indexOf('/', start);
    if (slash < 0) {
      files.push(toFile(entry));
      continue;
    }
    const path = entry.path.slice(0, slash);
    const known = folders.get(path);
    if (known) {
      known.size += entry.size;
      known.count += 1;
    } else {
      folders.set(path, { kind: 'folder', name: path.slice(start), path, size: entry.size, count: 1, mtime: null });
    }
  }
  return [...folders.values(), ...files];
}

/** Files and tables below a folder that have these words in their path, however they are written. */
export function search(listing: ArchiveListing, folder: string, words: string): ArchiveEntry[] {
  const wanted = words.toLowerCase().normalize('NFC');
  const has = (path: string) => path.toLowerCase().normalize('NFC').includes(wanted);
  const files = folder === dump ? [] : below(listing, folder).filter(({ path }) => has(path));
  const tables = folder === '' || folder === dump ? listing.tables.filter(({ name }) => has(name)) : [];
  return [...tables.map(toTable), ...files.map(toFile)];
}
