/** A word of a zone file; a quoted one is never a name or a number. */
export type Word = { text: string; isQuoted: boolean };

/** One entry, which parentheses may extend over several lines. */
export type Entry = {
  /** Number of its first line, from 1. */
  line: number;
  words: Word[];
  /** A leading space means that the entry belongs to the previous name. */
  isIndented: boolean;
  comment: string;
  text: string;
};

type ReaderState = { entries: Entry[]; depth: number; current: Entry | undefined };

/** Reads the entries of a zone file, with comments apart (RFC 1035, 5.1). */
export function readEntries(content: string): Entry[] {
  const state: ReaderState = { entries: [], depth: 0, current: undefined };
  content.split(/\r\n|\r|\n/).forEach((line, at) => readLine(state, line, at + 1));
  if (state.current) state.entries.push(state.current);
  return state.entries.filter(({ words }) => words.length > 0);
}

// A word, a quoted text, a parenthesis, or a comment to the end of the line.
const tokenPattern = /"((?:[^"\\]|\\.)*)"?|([()])|;(.*)$|((?:[^\s"();\\]|\\.)+)/gs;

function readLine(state: ReaderState, line: string, number: number): void {
  const entry = (state.current ??= {
    line: number,
    words: [],
    isIndented: /^\s/.test(line),
    comment: '',
    text: line.trim(),
  });
  for (const [, quoted, parenthesis, comment, bare] of line.matchAll(tokenPattern)) {
    if (parenthesis !== undefined) state.depth = Math.max(0, state.depth + (parenthesis === '(' ? 1 : -1));
    else if (comment !== undefined) entry.comment = comment.trim();
    else entry.words.push({ text: quoted ?? bare ?? '', isQuoted: quoted !== undefined });
  }
  if (state.depth > 0) return;
  state.entries.push(entry);
  state.current = undefined;
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

const maxTtlLength = 40;

/** Returns seconds from `3600`, or from `1h30m` as BIND writes it. */
export function readTtl(text: string): number | undefined {
  if (text.length > maxTtlLength || !/^(?:\d{1,9}|(?:\d{1,9}[smhdw])+)$/i.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([smhdw]?)/gi)].reduce(
    (sum, [, digits = '0', unit = '']) => sum + Number(digits) * (units[unit.toLowerCase()] ?? 1),
    0,
  );
}
