import type { ErrorDetail } from '@vigie/contracts/errors';

/** `network`: no response arrived. `shape`: the response breaks its contract in `fields`. */
export type ApiError = {
  kind: 'http' | 'network' | 'shape';
  status: number;
  path: string;
  detail?: ErrorDetail | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  fields?: string[] | undefined;
  /** What a person reads, made by the endpoint. */
  sentence?: string | undefined;
};

export const isApiError = (error: unknown): error is ApiError =>
  typeof error === 'object' && error !== null && 'kind' in error && 'path' in error;

/** Without an answer, or with one that cannot be read, the server may still have done what was asked for. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  isApiError(error) && (error.kind !== 'http' || error.status >= 500);

export function serverMessage(error: ApiError): string | undefined {
  const message = typeof error.detail === 'string' ? error.detail : error.detail?.message;
  return message === undefined || message.trim() === '' ? undefined : message;
}

type OperationOutput = { message: string; stderr?: string | undefined; stdout?: string | undefined };

/** One line: the server's message, then the output of the host. */
export const joinOutput = ({ message, stderr, stdout }: OperationOutput): string =>
  [message, stderr, stdout].flatMap((text) => text?.trim() || []).join(' | ');

/** The text of "Copier les détails", for the administrator of the server. */
export function errorDetails(error: ApiError): string {
  const { stderr, stdout } = typeof error.detail === 'object' ? error.detail : {};
  return [
    serverMessage(error),
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
