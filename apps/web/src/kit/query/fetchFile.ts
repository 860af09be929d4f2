import { z } from 'zod';
import { reportFailure } from './failures';
import { headersOf, readResponse } from './baseQuery';
import { session } from './session';

type FileResult = { file: Blob; failure?: undefined } | { file?: undefined; failure: string };

/** Downloads a file with the session's token. A failure was already shown in a toast. */
export async function fetchFile(path: `/${string}`, fallback: string): Promise<FileResult> {
  const { token } = session.get();
  const call = { path, output: z.unknown() };
  const sentAt = performance.now();
  try {
    const response = await fetch(`/api${path}`, { headers: headersOf(call, token) });
    if (response.ok) return { file: await response.blob() };
    const answer = await readResponse(call, token, response, sentAt);
    return { failure: reportFailure('error' in answer ? answer.error : undefined, fallback) };
  } catch {
    // The connection failed, before or during the response.
    return { failure: reportFailure({ kind: 'network', status: 0, path: `GET /api${path}` }, fallback) };
  }
}
