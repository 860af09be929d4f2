import { fr } from '../terminal';

/** Aligns the first column to the left and numbers to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  for (const row of all) {
    const cells = widths.map((width, column) => {
      const cell = row[column] ?? '';
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    console.log(`  ${cells.join('   ')}`.trimEnd());
  }
}

const format = (value: number, digits: number) =>
  value.toLocaleString('fr-FR', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const number = (value: number, digits = 0) => format(value, digits);
export const milliseconds = (value: number) => `${format(value, value < 10 ? 1 : 0)}\u00a0ms`;
export const times = (value: number) => `×\u00a0${format(value, value < 10 ? 2 : 0)}`;

/** Goals are reported, not enforced. */
export const aim = (text: string, isMet: boolean) => fr`visée ${text} : ${isMet ? 'tenue' : 'manquée'}`;
