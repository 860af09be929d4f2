/** Removes NUL and lone surrogates: hosts send both, and PostgreSQL refuses them in jsonb. */
export const toJsonb = (value: object | null): string | null =>
  value && JSON.stringify(value).replaceAll(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, dropInvalid);

const dropInvalid = (escape: string) => (escape.length > 2 ? '' : escape);
