import { fr } from '../terminal';

/** What a measure says at its end: a table whose first row is its head, a line for each goal, and how it was measured. */
export type Report = {
  title: string;
  table: readonly (readonly string[])[];
  lines?: readonly string[];
  note?: string;
};

export function printReport({ title, table, lines = [], note }: Report): void {
  console.log(`\n${title}`);
  printTable(table);
  for (const line of lines) console.log(`  ${line}`);
  if (note !== undefined) console.log(note);
}

/** Aligns the first column to the left and numbers to the right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = widths.map((width, column) => {
      const cell = row[column] ?? '';
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    console.log(`  ${cells.join('   ')}`.trimEnd());
  }
}

export type Column<R> = readonly [head: string, cell: (row: R) => string];

/** Writes a row for each result, below the heads of the columns. */
export const tableOf = <R extends { name: string }>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  head = '',
): string[][] => [
  [head, ...columns.map(([title]) => title)],
  ...rows.map((row) => [row.name, ...columns.map(([, cell]) => cell(row))]),
];

/** Makes cells that say how many times the figure of `own` is that of the row; the cell of `own` stays empty. */
export const ratioOf =
  <R>(own: R, figure: (row: R) => number) =>
  (row: R): string =>
    row === own ? '' : times(figure(own) / figure(row));

/** Makes cells that say how many times the figure of the row is that of `rival`; the cell of `rival` stays empty. */
export const ratioTo =
  <R>(rival: R, figure: (row: R) => number) =>
  (row: R): string =>
    row === rival ? '' : times(figure(row) / figure(rival));

type Times = { p50: number; p99: number };

/** Makes the columns of two percentiles, each beside its ratio to that of `rival`. */
export const percentileColumns = (rival: Times, unit = milliseconds): Column<Times>[] => [
  ['p50', ({ p50 }) => unit(p50)],
  ['rapport', ratioTo(rival, ({ p50 }) => p50)],
  ['p99', ({ p99 }) => unit(p99)],
  ['rapport', ratioTo(rival, ({ p99 }) => p99)],
];

/** Says whether a figure reaches its goal. Goals are reported, not enforced. */
export function aim(name: string, value: number, sign: '<' | '≤' | '≥', goal: number, unit = ratio): string {
  const isMet = sign === '<' ? value < goal : sign === '≤' ? value <= goal : value >= goal;
  return fr`${name} : ${unit(value)}, visée ${sign} ${unit(goal)} : ${verdict(isMet)}`;
}

export const verdict = (isMet: boolean) => (isMet ? 'tenue' : 'manquée');

export const number = (value: number, digits = 0) =>
  value.toLocaleString('fr-FR', { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const milliseconds = (value: number) => `${number(value, value < 10 ? 1 : 0)}\u00a0ms`;
export const times = (value: number) => `×\u00a0${number(value, value < 10 ? 2 : 0)}`;
const ratio = (value: number): string => number(value, 2);
export const preciseSeconds = (ms: number) => `${number(ms / 1000, 2)}\u00a0s`;
export const megabytes = (bytes: number) => `${number(bytes / 1_048_576)}\u00a0Mo`;
