import type { Media } from '../document-types';

/** A file of bytes, as a controller streams it. */
export const bytesMedia = (): Record<string, Media> => ({
  'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
});

/** A CSV file, of which the example is the beginning. */
export const csvMedia = (example: string) => (): Record<string, Media> => ({
  'text/csv': { schema: { type: 'string' }, example },
});
