import type { ObjectReader } from '@vigie/files/object-reader';
import type { PackageInfo } from '@vigie/wpress/package-info';
import { headerLength } from '@vigie/wpress/header';
import type { ListedEntry, ListedTable } from './archive-listing';

const chunkBytes = 1_048_576;
const lineBytes = 512;
const maxTables = 20_000;
/** The dump has this placeholder instead of the site's table prefix. */
const placeholder = 'SERVMASK_PREFIX_';

const lineEnd = Buffer.from('\nDROP ');
const openingPattern = /^DROP (?:TABLE|VIEW) IF EXISTS `((?:[^`\n]|``){1,200})`/;

/** A table begins with its DROP line. Values contain no line ends, so no value can look like one. */
export async function readTables(reader: ObjectReader, entry: ListedEntry, about: PackageInfo): Promise<ListedTable[]> {
  const start = entry.at + headerLength;
  const end = start + entry.size;
  const openings = await findOpenings(reader, start, end);
  const rows = new Map(about.note?.tables.map((table) => [table.name, table.rows]));
  return openings.map(({ name, at }, n) => ({
    name: name.startsWith(placeholder) ? `${about.database.prefix ?? ''}${name.slice(placeholder.length)}` : name,
    at,
    length: (openings[n + 1]?.at ?? end) - at,
    rows: rows.get(name) ?? null,
  }));
}

async function findOpenings(reader: ObjectReader, start: number, end: number): Promise<{ name: string; at: number }[]> {
  const openings: { name: string; at: number }[] = [];
  const addOpening = (line: Buffer, at: number) => {
    const name = openingPattern.exec(line.toString('utf8', 0, lineBytes))?.[1]?.replaceAll('``', '`');
    if (name !== undefined && (openings.at(-1)?.at ?? -1) < at) openings.push({ name, at });
  };
  for (let at = start; at < end && openings.length < maxTables; at += chunkBytes) {
    // A line that begins in this chunk may end after it.
    const chunk = await reader.read(at, Math.min(chunkBytes + lineBytes, end - at));
    if (at === start) addOpening(chunk, at);
    for (let matchAt = chunk.indexOf(lineEnd); matchAt >= 0; matchAt = chunk.indexOf(lineEnd, matchAt + 1)) {
      addOpening(chunk.subarray(matchAt + 1), at + matchAt + 1);
    }
  }
  return openings;
}
