import type { ObjectReader } from '@vigie/files/object-reader';
import type { About } from '@vigie/wpress/about';
import { headerLength } from '@vigie/wpress/header';
import type { ListedEntry, ListedTable } from './archive-listing';

const chunkBytes = 1_048_576;
/** Of the line that a table begins with. */
const lineBytes = 512;
const maxTables = 20_000;
/** What stands in place of the prefix of a site. */
const placeholder = 'SERVMASK_PREFIX_';

const lineEnd = Buffer.from('\nDROP ');
const openingPattern = /^DROP (?:TABLE|VIEW) IF EXISTS `((?:[^`\n]|``){1,200})`/;

/**
 * Where each table of a dump begins: with the line that drops it. Values have no line ends of their own, so that such a
 * line is one.
 */
export async function readTables(reader: ObjectReader, entry: ListedEntry, about: About): Promise<ListedTable[]> {
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
    // What begins in this piece may end behind it.
    const chunk = await reader.read(at, Math.min(chunkBytes + lineBytes, end - at));
    if (at === start) addOpening(chunk, at);
    for (let matchAt = chunk.indexOf(lineEnd); matchAt >= 0; matchAt = chunk.indexOf(lineEnd, matchAt + 1)) {
      addOpening(chunk.subarray(matchAt + 1), at + matchAt + 1);
    }
  }
  return openings;
}
