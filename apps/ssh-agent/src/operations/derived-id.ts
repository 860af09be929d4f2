import { createHash } from 'node:crypto';

/** Of an operation that a job has beside its own: the same for whoever goes on with it. */
export function derivedId(job: string, what: string): string {
  const digest = createHash('sha256').update(`${job}:${what}`).digest('hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `a${digest.slice(17, 20)}`];
  return [...parts, digest.slice(20, 32)].join('-');
}
