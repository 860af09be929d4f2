import { createHash } from 'node:crypto';

/** The id of a further operation of a job, which is the same for every worker that resumes it. */
export function derivedId(jobId: string, purpose: string): string {
  const digest = createHash('sha256').update(`${jobId}:${purpose}`).digest('hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `a${digest.slice(17, 20)}`];
  return [...parts, digest.slice(20, 32)].join('-');
}
