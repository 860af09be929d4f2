/** Bytes of a file, the last of them excluded. */
export type Span = { from: number; to: number };

/** What a request wants of so many bytes: undefined for all of them, null for what is not there. */
export function spanOf(header: string | undefined, length: number): Span | null | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  // Several ranges, or other units: whoever asks takes all of it too.
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const wanted = Math.min(Number(last), length);
    return wanted > 0 ? { from: length - wanted, to: length } : null;
  }
  const [from, to] = [Number(first), last === '' ? length : Math.min(Number(last) + 1, length)];
  if (last !== '' && Number(last) < from) return undefined;
  return from < length ? { from, to } : null;
}
