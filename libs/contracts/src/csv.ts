/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\uFEFF';

/**
 * Whether a spreadsheet would run the text as a formula. Apostrophes before it do not count, so that the one that
 * `csvLine` adds can be told from those of the text.
 */
const isFormula = (text: string) => /^'*(?:[\t\r\n]|\s*[=+\-@|])/.test(text);

/** One quoted field; an apostrophe before it disarms a formula. */
function fieldOf(text: string): string {
  const plain = text.replaceAll('\0', ' ');
  return `"${(isFormula(plain) ? `'${plain}` : plain).replaceAll('"', '""')}"`;
}

/** A line of a file that French spreadsheets open in columns. */
export const csvLine = (fields: readonly string[]): string => `${fields.map(fieldOf).join(';')}\r\n`;

/** Takes off the apostrophe that `csvLine` adds. */
const rearm = (text: string) => (text.startsWith("'") && isFormula(text) ? text.slice(1) : text);

const separators = [';', ',', '\t'] as const;

/** The most frequent separator of the first line, outside of its quotes. */
function separatorOf(text: string): string {
  const [firstLine = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const count = (separator: string) => firstLine.split(separator).length;
  return separators.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/** The position after the closing quote of the field that begins here. */
function endOfQuotes(text: string, start: number): number | undefined {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at + 1;
  return undefined;
}

/** `unclosedRow` is the row, counted from 1, whose quotes never end: what follows was not read. */
export type CsvRows = { rows: string[][]; unclosedRow?: number };

/** Reads a file with `;`, `,` or tabs between its fields. Empty rows are kept, so that a row's number is that of the spreadsheet. */
export function readCsv(file: string): CsvRows {
  const text = file.replace(/^\uFEFF/, '');
  const separator = separatorOf(text.slice(0, 10_000));
  const fieldEnd = new RegExp(`[${separator}\r\n]`, 'g');
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const afterQuotes = text[at] === '"' ? endOfQuotes(text, at) : at;
    if (afterQuotes === undefined) return { rows, unclosedRow: rows.length + 1 };
    const quoted = text.slice(at + 1, Math.max(afterQuotes - 1, at)).replaceAll('""', '"');
    fieldEnd.lastIndex = afterQuotes;
    const end = fieldEnd.exec(text)?.index ?? text.length;
    row.push(rearm(quoted + text.slice(afterQuotes, end)));
    if (text[end] !== separator) {
      rows.push(row);
      row = [];
    }
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
  // The end of the last line begins no other.
  if (rows.at(-1)?.join('') === '') rows.pop();
  return { rows };
}
