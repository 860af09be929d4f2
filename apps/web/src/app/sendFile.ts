import type { ApiError } from './api-error';
import { type Call, headersOf, readAnswer } from './baseQuery';
import { session } from './session';

/** Counts from the last byte sent: the server reads half a gigabyte again before it responds. */
const patienceMs = 120_000;
const unanswered =
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
  if (response instanceof Response) return readAnswer(call, token, response, sentAt);
  const detail = response === 'late' ? unanswered : undefined;
  return { error: { kind: 'network', status: 0, path: `POST /api${call.path}`, detail } };
}

function post(call: Call, token: string | null, file: File, { onProgress, signal }: Options) {
  return new Promise<Response | 'late' | undefined>((resolve) => {
    const request = new XMLHttpRequest();
    let patience: number | undefined;
    const abort = () => request.abort();
    const giveUp = () => {
      resolve('late');
      abort();
    };
    request.open('POST', `/api${call.path}`);
    headersOf(call, token).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    request.upload.addEventListener('load', () => {
      patience = window.setTimeout(giveUp, patienceMs);
    });
    request.addEventListener('load', () => resolve(responseOf(request)));
    for (const end of ['error', 'abort', 'timeout'] as const) request.addEventListener(end, () => resolve(undefined));
    request.addEventListener('loadend', () => {
      window.clearTimeout(patience);
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
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return new Response(request.responseText, { status: request.status, headers });
}
