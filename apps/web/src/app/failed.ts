import { spellWait } from '../ui/dates';
import { isApiError, joinedOf } from './api-error';

/** Why a call failed: all that the server and the host said of it, or else this sentence. */
export function reasonOf(error: unknown, fallback: string): string {
  const detail = isApiError(error) ? error.detail : undefined;
  const said = joinedOf(typeof detail === 'object' ? detail : { message: detail ?? '' }) || fallback;
  return `${said}${waitOf(error)}`;
}

/** Of who asked too often. */
const waitOf = (error: unknown): string =>
  isApiError(error) && error.kind === 'http' && error.status === 429 && error.retryAfter !== undefined
    ? ` Nouvel essai possible dans ${spellWait(error.retryAfter)}.`
    : '';

/** Why there is no answer; undefined where there is one. */
export const failedBy = (error: unknown, fallback: string): string | undefined =>
  error ? reasonOf(error, fallback) : undefined;
