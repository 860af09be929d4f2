import { z } from 'zod';
import { tellFailure } from './tellFailure';
import { headersOf, readAnswer } from './baseQuery';
import { session } from './session';

type Fetched = { file: Blob; failure?: undefined } | { file?: undefined; failure: string };

/** A file that only whoever is logged in may have, or why there is none, once that was said. */
export async function fetchFile(path: `/${string}`, fallback: string): Promise<Fetched> {
  const { token } = session.get();
  const call = { path, output: z.unknown() };
  const sentAt = performance.now();
  try {
    const response = await fetch(`/api${path}`, { headers: headersOf(call, token) });
    if (response.ok) return { file: await response.blob() };
    const answer = await readAnswer(call, token, response, sentAt);
    return { failure: tellFailure('error' in answer ? answer.error : undefined, fallback) };
  } catch {
    // Cut in its middle, or never begun.
    return { failure: tellFailure({ kind: 'network', status: 0, path: `GET /api${path}` }, fallback) };
  }
}
