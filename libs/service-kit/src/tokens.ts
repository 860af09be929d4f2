import { createHash } from 'node:crypto';

/** A token is 256 random bits, so a plain hash of it is as good as a slow one; only the hash is kept or travels. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
