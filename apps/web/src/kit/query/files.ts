import { z } from 'zod';
import type { ApiError } from './api-error';
import { type Call, headersOf, readResponse } from './baseQuery';
import { reportFailure } from './failures';
import { session } from './session';

/** Counts from the last byte sent: the server reads half a gigabyte again before it responds. */
const responseTimeoutMs = 120_000;
const timeoutMessage =
  'Vigie n’a pas répondu dans les deux minutes qui ont suivi l’envoi. Le fichier est peut-être enregistré\u00a0: regardez la liste avant de réessayer.';

type Options = { onProgress: (sent: number, total: number) => void; signal: AbortSignal };

/** Posts one file as the form field `file`. Uses XMLHttpRequest because `fetch` reports no upload progress. */
export async function sendFile(
  call: Call,
  file: File,
  options: Options,
): Promise<{ data: unknown } | { error: ApiError }> {
  const { token } = session.get();
  const sentAt = performance.now();
  const response = await post(call, token, file, options);
  if (response instanceof Response) return readResponse(call, token, response, sentAt);
  const detail = response === 'late' ? timeoutMessage : undefined;
  return { error: { kind: 'network', status: 0, path: `POST /api${call.path}`, detail } };
}

function post(call: Call, token: string | null, file: File, { onProgress, signal }: Options) {
  return new Promise<Response | 'late' | undefined>((resolve) => {
    const request = new XMLHttpRequest();
    let timer: number | undefined;
    const abort = () => request.abort();
    const giveUp = () => {
      resolve('late');
      abort();
    };
    request.open('POST', `/api${call.path}`);
    headersOf(call, token).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    request.upload.addEventListener('load', () => {
      timer = window.setTimeout(giveUp, responseTimeoutMs);
    });
    request.addEventListener('load', () => resolve(responseOf(request)));
    for (const end of ['error', 'abort', 'timeout'] as const) request.addEventListener(end, () => resolve(undefined));
    request.addEventListener('loadend', () => {
      window.clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    });
    signal.addEventListener('abort', abort);
    const form = new FormData();
    form.set('file', file);
    request.send(form);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return new Response(request.responseText, { status: request.status, headers });
}

type FileResult = { file: Blob; failure?: undefined } | { file?: undefined; failure: string };

/** Downloads a file with the session's token. A failure was already shown in a toast. */
export async function fetchFile(asked: Call, fallback: string): Promise<FileResult> {
  const { token } = session.get();
  const call = { ...asked, output: z.unknown() };
  const { path, method = 'GET', body } = call;
  const sentAt = performance.now();
  try {
    const headers = headersOf(call, token);
    const response = await fetch(`/api${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) return { file: await response.blob() };
    const answer = await readResponse(call, token, response, sentAt);
    return { failure: reportFailure('error' in answer ? answer.error : undefined, fallback) };
  } catch {
    // The connection failed, before or during the response.
    return { failure: reportFailure({ kind: 'network', status: 0, path: `${method} /api${path}` }, fallback) };
  }
}
