/** A range of bytes, `to` excluded. */
export type ByteRange = { from: number; to: number };

/** Parses a `Range` header: undefined for the whole file, null for a range outside of it. */
export function parseRange(header: string | undefined, length: number): ByteRange | null | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  // A client that asks for several ranges or in other units must accept the whole file too.
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const count = Math.min(Number(last), length);
    return count > 0 ? { from: length - count, to: length } : null;
  }
  const [from, to] = [Number(first), last === '' ? length : Math.min(Number(last) + 1, length)];
  if (last !== '' && Number(last) < from) return undefined;
  return from < length ? { from, to } : null;
}
