import { isApiError, joinedOf } from './api-error';

/** Why a call failed: all that the server and the host said of it, or else this sentence. */
export function reasonOf(error: unknown, fallback: string): string {
  const detail = isApiError(error) ? error.detail : undefined;
  return joinedOf(typeof detail === 'object' ? detail : { message: detail ?? '' }) || fallback;
}

/** Why there is no answer; undefined where there is one. */
export const failedBy = (error: unknown, fallback: string): string | undefined =>
  error ? reasonOf(error, fallback) : undefined;
