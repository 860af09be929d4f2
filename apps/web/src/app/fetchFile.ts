import { z } from 'zod';
import { tellFailure } from './tellFailure';
import { headersOf, readAnswer } from './baseQuery';
import { session } from './session';

/** A file that only whoever is logged in may have; undefined once it was said why there is none. */
export async function fetchFile(path: `/${string}`, fallback: string): Promise<Blob | undefined> {
  const { token } = session.get();
  const call = { path, output: z.unknown() };
  const sentAt = performance.now();
  try {
    const response = await fetch(`/api${path}`, { headers: headersOf(call, token) });
    if (response.ok) return await response.blob();
    const answer = await readAnswer(call, token, response, sentAt);
    tellFailure('error' in answer ? answer.error : undefined, fallback);
  } catch {
    // Cut in its middle, or never begun.
    tellFailure({ kind: 'network', status: 0, path: `GET /api${path}` }, fallback);
  }
  return undefined;
}
