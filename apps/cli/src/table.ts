import { cleanLine } from './escapes';

/** Scripts and symbols that take two columns of a terminal. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[\u{20000}-\u{3FFFD}]/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const isPlain = /^[ -~]*$/;

const parts = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment);
const widthOfPart = (part: string): number => (wide.test(part) ? 2 : /^\p{M}+$/u.test(part) ? 0 : 1);

/** The columns that a text takes in a terminal. */
export const widthOf = (text: string): number =>
  isPlain.test(text) ? text.length : parts(text).reduce((sum, part) => sum + widthOfPart(part), 0);

/** Cuts a text to this width, with `…` where something is missing. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [cut, used] = ['', 0];
  for (const part of parts(text)) {
    used += widthOfPart(part);
    if (used > width - 1) break;
    cut += part;
  }
  return `${cut}…`;
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

const gap = 2;
const narrowest = 6;

/** What a person copies from a table is never cut. */
const copied: readonly string[] = ['ID', 'ARCHIVE'];

/** Takes from the widest columns what does not fit. */
function shrink(widths: readonly number[], header: readonly string[], width: number): number[] {
  const result = [...widths];
  const total = () => result.reduce((sum, each) => sum + each, gap * (result.length - 1));
  const widthToCut = (column: number) => (copied.includes(header[column] ?? '') ? 0 : (result[column] ?? 0));
  while (total() > width) {
    const [widest = 0] = [...result.keys()].toSorted((a, b) => widthToCut(b) - widthToCut(a));
    if (widthToCut(widest) <= narrowest) break;
    result[widest] = widthToCut(widest) - 1;
  }
  return result;
}

export type Cell = string | number | null | undefined;

const textOf = (cell: Cell): string => cleanLine(String(cell ?? ''));

/** Lines of aligned columns for a person. */
export function alignedTable(header: readonly string[], rows: readonly (readonly Cell[])[], width: number): string[] {
  const lines = [header, ...rows.map((row) => row.map(textOf))];
  const natural = header.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  const widths = shrink(natural, header, width);
  return (header.some(Boolean) ? lines : lines.slice(1)).map((line) =>
    widths
      .map((columnWidth, column) => pad(fit(line[column] ?? '', columnWidth), columnWidth))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

/** Lines for a program: whole values with a tab between them, and no header. */
export const tabbedTable = (rows: readonly (readonly Cell[])[]): string[] =>
  rows.map((row) => row.map(textOf).join('\t'));
