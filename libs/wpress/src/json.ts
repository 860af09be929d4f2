import { parseShallow } from '@vigie/contracts/nesting';

export type Json = Record<string, unknown>;

const maxDepth = 24;
const maxTextLength = 8_192;

export const parseJson = (readText: string): unknown => parseShallow(readText, maxDepth);

/** Copies an object without JavaScript’s inherited properties. */
export function readRecord(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.assign(Object.create(null) as Json, value);
}

/** PHP encodes a list with a missing index as an object. */
export function readList(value: unknown, max: number): unknown[] {
  const all = Array.isArray(value) ? (value as unknown[]) : Object.values(readRecord(value) ?? {});
  return all.slice(0, max);
}

export const readText = (value: unknown, max = maxTextLength): string | null =>
  typeof value === 'string' && value.length <= max ? value : null;

export const readCount = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

/** Follows PHP’s rules of truth. */
export const isTruthy = (value: unknown) =>
  value !== undefined && value !== null && value !== false && value !== 0 && value !== '' && value !== '0';
