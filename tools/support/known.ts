/** Whoever has one of these as a name or a password is not told apart by it. */
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

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }));

/** What this very Vigie calls its own: wherever it is said, and whatever stands between its words, it is struck out. */
export class Known {
  private readonly byFirst = new Map<string, string[][]>();

  add(value: string): void {
    const words = wordsOf(value).map(({ word }) => word);
    const [first = ''] = words;
    const isPlain = words.length === 1 && (first.length < 2 || /^\d{1,5}$/.test(first) || defaults.has(first));
    if (first === '' || isPlain) return;
    const alike = this.byFirst.get(first);
    if (alike) alike.push(words);
    else this.byFirst.set(first, [words]);
  }

  /** Of an address what it names, too: who logs in, by what, where. */
  addAddress(value: string): void {
    this.add(value);
    if (!URL.canParse(value)) return;
    const { username, password, hostname, pathname } = new URL(value);
    for (const part of [username, password, hostname, pathname]) this.add(decoded(part));
  }

  /** `whole`: what is struck out as one where a part of it is known, since its other parts would not look like what it is. */
  strike(text: string, whole: RegExp): string {
    const known = this.spansOf(text);
    if (known.length === 0) return text;
    const around = [...text.matchAll(whole)]
      .map(({ 0: { length }, index: from }) => ({ from, to: from + length }))
      .filter(({ from, to }) => known.some((span) => span.from < to && from < span.to));
    let [struck, at] = ['', 0];
    for (const { from, to } of [...known, ...around].toSorted((one, other) => one.from - other.from)) {
      if (from >= at) struck += `${text.slice(at, from)}<known>`;
      at = Math.max(at, to);
    }
    return struck + text.slice(at);
  }

  private spansOf(text: string): Span[] {
    const words = wordsOf(text);
    const spans: Span[] = [];
    for (const [place, { from }] of words.entries()) {
      // Inside of one that was found already.
      if (from < (spans.at(-1)?.to ?? 0)) continue;
      const last = words[place + this.longest(words, place) - 1];
      if (last && last.to > from) spans.push({ from, to: last.to });
    }
    return spans;
  }

  /** How many words from this one on are one of them. */
  private longest(words: readonly Word[], from: number): number {
    const alike = this.byFirst.get(words[from]?.word ?? '') ?? [];
    const fits = alike.filter((known) => known.every((word, n) => words[from + n]?.word === word));
    return fits.reduce((max, { length }) => Math.max(max, length), 0);
  }
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
