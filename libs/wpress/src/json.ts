export type Json = Record<string, unknown>;

const deepest = 24;
const longestText = 8_192;

/** Undefined for what is no JSON, or nested deeper than anything that is meant. */
export function parseJson(text: string): unknown {
  if (isDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isText = !isText;
    else if (isText) at += sign === '\\' ? 1 : 0;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Without what JavaScript adds to objects by itself. */
export function record(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.assign(Object.create(null) as Json, value);
}

/** PHP makes an object of a list that has lost a place. */
export function list(value: unknown, most: number): unknown[] {
  const all = Array.isArray(value) ? (value as unknown[]) : Object.values(record(value) ?? {});
  return all.slice(0, most);
}

export const text = (value: unknown, most = longestText): string | null =>
  typeof value === 'string' && value.length <= most ? value : null;

export const count = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

/** What PHP takes for true. */
export const flag = (value: unknown) =>
  value !== undefined && value !== null && value !== false && value !== 0 && value !== '' && value !== '0';
