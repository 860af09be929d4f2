import { randomBytes } from 'node:crypto';

/** A secret that stands nowhere by chance. */
export const canary = (name: string) => `canari-${name}-${randomBytes(9).toString('hex')}`;

/** Plain, or as it would stand in something encoded. Six digits alone are common in longer numbers, and as fractions of a second. */
export function isIn(text: string, value: string): boolean {
  if (value.length <= 6) return new RegExp(`(?<![0-9A-Za-z]|\\d\\.)${value}(?![0-9A-Za-z])`).test(text);
  const bytes = Buffer.from(value);
  return [value, bytes.toString('base64url').slice(0, -1), bytes.toString('hex')].some((form) => text.includes(form));
}
