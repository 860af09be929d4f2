import { readCount, readList, readRecord, readText } from './json';

/** SQL that recreates a part of a table, with the prefix placeholder. */
type Definition = { name: string; table: string; sql: string };

/** What a dump leaves out or simplifies for the plugin’s importer. */
type Definitions = { foreignKeys: Definition[]; triggers: Definition[]; views: Definition[] };

/** Vigie’s own key of package.json, in archives that it packed. */
export type VigieNote = {
  /** CRC-32 of everything after package.json, then of package.json with eight zeros in place of this sum. */
  crc: string | null;
  entries: number | null;
  tables: { name: string; rows: number }[];
  definitions: Definitions;
};

const max = 20_000;
const maxSqlLength = 1_048_576;

export function readNote(value: unknown): VigieNote | null {
  const note = readRecord(value);
  if (!note) return null;
  const crc = readText(note['Crc32'], 8);
  const database = readRecord(note['Database']) ?? {};
  return {
    crc: crc !== null && /^[0-9a-f]{8}$/.test(crc) ? crc : null,
    entries: readCount(note['Entries']),
    tables: readList(note['Tables'], max).flatMap(readTable),
    definitions: {
      foreignKeys: readList(database['ForeignKeys'], max).flatMap(readDefinition),
      triggers: readList(database['Triggers'], max).flatMap(readDefinition),
      views: readList(database['Views'], max).flatMap(readDefinition),
    },
  };
}

function readTable(value: unknown): { name: string; rows: number } | [] {
  const [name, rows] = [readText(readRecord(value)?.['Name']), readCount(readRecord(value)?.['Rows'])];
  return name !== null && rows !== null ? { name, rows } : [];
}

function readDefinition(value: unknown): Definition | [] {
  const all = readRecord(value);
  const [name, table, sql] = [readText(all?.['Name']), readText(all?.['Table']), readText(all?.['Sql'], maxSqlLength)];
  return name !== null && table !== null && sql !== null ? { name, table, sql } : [];
}

/** The text that contains the archive’s sum; `emptySum` replaces it while summing. */
export const sumText = (crc: string) => `"Crc32":"${crc}"`;
export const emptySum = '00000000';
