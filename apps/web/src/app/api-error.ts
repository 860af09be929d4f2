import type { ErrorDetail } from '@vigie/contracts/errors';

/** `network`: no answer. `shape`: an answer that is not the one the contract promises; `fields` are those at fault. */
export type ApiError = {
  kind: 'http' | 'network' | 'shape';
  status: number;
  path: string;
  detail?: ErrorDetail | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  fields?: string[] | undefined;
};

export const isApiError = (error: unknown): error is ApiError =>
  typeof error === 'object' && error !== null && 'kind' in error && 'path' in error;

/** The server's own sentence, if it gave one. */
export function sentenceOf(error: ApiError): string | undefined {
  const sentence = typeof error.detail === 'string' ? error.detail : error.detail?.message;
  return sentence === undefined || sentence.trim() === '' ? undefined : sentence;
}

type Said = { message: string; stderr?: string | undefined; stdout?: string | undefined };

/** What the server and the host say of an operation, in one line. */
export const joinedOf = ({ message, stderr, stdout }: Said): string =>
  [message, stderr, stdout].flatMap((text) => text?.trim() || []).join(' | ');

/** What somebody pastes to whoever runs the server. */
export function detailsOf(error: ApiError): string {
  const { stderr, stdout } = typeof error.detail === 'object' ? error.detail : {};
  return [
    sentenceOf(error),
    stderr,
    stdout,
    error.fields && `Champs inattendus\u00a0: ${error.fields.join(', ')}`,
    `${error.path} → ${error.kind === 'network' ? 'pas de réponse' : error.status}`,
    error.requestId && `Requête ${error.requestId}`,
    new Date().toISOString(),
  ]
    .filter((line) => line !== undefined && line !== '')
    .join('\n');
}
