/** As PostgreSQL takes it: neither NUL nor half a character has a place in jsonb, and hosts send both. */
export const toJsonb = (value: object | null): string | null =>
  value && JSON.stringify(value).replaceAll(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, dropUnkept);

const dropUnkept = (escape: string) => (escape.length > 2 ? '' : escape);
