/** Common values that identify nobody, even as a name or password. */
const defaults = new Set([
  'localhost',
  'postgres',
  'postgresql',
  'redis',
  'nats',
  'vigie',
  'node',
  'root',
  'true',
  'false',
]);

type Span = { from: number; to: number };
type Word = Span & { word: string };

const splitWords = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }));

/** The names and secrets of this installation, which are redacted everywhere, whatever separates their words. */
export class KnownValues {
  private readonly byFirst = new Map<string, string[][]>();

  add(value: string): void {
    const words = splitWords(value).map(({ word }) => word);
    const [first = ''] = words;
    const isCommon = words.length === 1 && (first.length < 2 || /^\d{1,5}$/.test(first) || defaults.has(first));
    if (first === '' || isCommon) return;
    const candidates = this.byFirst.get(first);
    if (candidates) candidates.push(words);
    else this.byFirst.set(first, [words]);
  }

  /** Adds an address and its parts: user, password, host and path. */
  addAddress(value: string): void {
    this.add(value);
    if (!URL.canParse(value)) return;
    const { username, password, hostname, pathname } = new URL(value);
    for (const part of [username, password, hostname, pathname]) this.add(decodeSafely(part));
  }

  /** A match of `whole` is redacted completely if it contains a known value, as its rest would no longer match a pattern. */
  redact(text: string, whole: RegExp): string {
    const spans = this.findSpans(text);
    if (spans.length === 0) return text;
    const wholeSpans = [...text.matchAll(whole)]
      .map(({ 0: { length }, index: from }) => ({ from, to: from + length }))
      .filter(({ from, to }) => spans.some((span) => span.from < to && from < span.to));
    let [redacted, position] = ['', 0];
    for (const { from, to } of [...spans, ...wholeSpans].toSorted((first, second) => first.from - second.from)) {
      if (from >= position) redacted += `${text.slice(position, from)}<known>`;
      position = Math.max(position, to);
    }
    return redacted + text.slice(position);
  }

  private findSpans(text: string): Span[] {
    const words = splitWords(text);
    const spans: Span[] = [];
    for (const [index, { from }] of words.entries()) {
      // Skips words inside the previous match.
      if (from < (spans.at(-1)?.to ?? 0)) continue;
      const last = words[index + this.longestMatch(words, index) - 1];
      if (last && last.to > from) spans.push({ from, to: last.to });
    }
    return spans;
  }

  /** The length in words of the longest known value that starts at this word. */
  private longestMatch(words: readonly Word[], from: number): number {
    const candidates = this.byFirst.get(words[from]?.word ?? '') ?? [];
    const fits = candidates.filter((spans) => spans.every((word, n) => words[from + n]?.word === word));
    return fits.reduce((max, { length }) => Math.max(max, length), 0);
  }
}

export function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
