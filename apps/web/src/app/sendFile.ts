import type { ApiError } from './api-error';
import { type Call, headersOf, readAnswer } from './baseQuery';
import { session } from './session';

type Options = { onProgress: (sent: number, total: number) => void; signal: AbortSignal };

/** A form of one file, in the field `file`: `fetch` does not say how much of a body has left. */
export async function sendFile(
  call: Call,
  file: File,
  options: Options,
): Promise<{ data: unknown } | { error: ApiError }> {
  const { token } = session.get();
  const sentAt = performance.now();
  const response = await post(call, token, file, options);
  if (response) return readAnswer(call, token, response, sentAt);
  return { error: { kind: 'network', status: 0, path: `POST /api${call.path}` } };
}

function post(call: Call, token: string | null, file: File, { onProgress, signal }: Options) {
  return new Promise<Response | undefined>((resolve) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', `/api${call.path}`);
    headersOf(call, token).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener('load', () => resolve(responseOf(request)));
    for (const end of ['error', 'abort', 'timeout'] as const) request.addEventListener(end, () => resolve(undefined));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
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
