import { randomBytes } from 'node:crypto';

export const canary = (name: string) => `canari-${name}-${randomBytes(9).toString('hex')}`;

/** Finds a value, plain or encoded. A six-digit value must stand alone, as longer numbers often contain it. */
export function containsSecret(text: string, value: string): boolean {
  if (value.length <= 6) return new RegExp(`(?<![0-9A-Za-z]|\\d\\.)${value}(?![0-9A-Za-z])`).test(text);
  const bytes = Buffer.from(value);
  return [value, bytes.toString('base64url').slice(0, -1), bytes.toString('hex')].some((form) => text.includes(form));
}
