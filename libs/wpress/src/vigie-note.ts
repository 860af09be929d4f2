import { count, list, record, text } from './json';

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
  const note = record(value);
  if (!note) return null;
  const crc = text(note['Crc32'], 8);
  const database = record(note['Database']) ?? {};
  return {
    crc: crc !== null && /^[0-9a-f]{8}$/.test(crc) ? crc : null,
    entries: count(note['Entries']),
    tables: list(note['Tables'], max).flatMap(readTable),
    definitions: {
      foreignKeys: list(database['ForeignKeys'], max).flatMap(readDefinition),
      triggers: list(database['Triggers'], max).flatMap(readDefinition),
      views: list(database['Views'], max).flatMap(readDefinition),
    },
  };
}

function readTable(value: unknown): { name: string; rows: number } | [] {
  const [name, rows] = [text(record(value)?.['Name']), count(record(value)?.['Rows'])];
  return name !== null && rows !== null ? { name, rows } : [];
}

function readDefinition(value: unknown): Definition | [] {
  const all = record(value);
  const [name, table, sql] = [text(all?.['Name']), text(all?.['Table']), text(all?.['Sql'], maxSqlLength)];
  return name !== null && table !== null && sql !== null ? { name, table, sql } : [];
}

/** The text that contains the archive’s sum; `emptySum` replaces it while summing. */
export const sumText = (crc: string) => `"Crc32":"${crc}"`;
export const emptySum = '00000000';
