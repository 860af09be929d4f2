import { formatWait } from '../../ui/dates';
import { isApiError, joinOutput } from './api-error';

/** The messages of the server and the host, or else the fallback. */
export function failureReason(error: unknown, fallback: string): string {
  const detail = isApiError(error) ? error.detail : undefined;
  const reason = joinOutput(typeof detail === 'object' ? detail : { message: detail ?? '' }) || fallback;
  return `${reason}${retryHint(error)}`;
}

const retryHint = (error: unknown): string =>
  isApiError(error) && error.kind === 'http' && error.status === 429 && error.retryAfter !== undefined
    ? ` Nouvel essai possible dans ${formatWait(error.retryAfter)}.`
    : '';

export const failureMessage = (error: unknown, fallback: string): string | undefined =>
  error ? failureReason(error, fallback) : undefined;
