import { createHash } from 'node:crypto';

/** A token has 256 random bits, so a plain hash is as safe as a slow one. Only the hash is stored or sent. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
