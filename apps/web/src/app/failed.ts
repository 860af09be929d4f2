import { isApiError, sentenceOf } from './api-error';

/** Why a call failed: the server's own sentence, or else this one. */
export const reasonOf = (error: unknown, fallback: string): string =>
  (isApiError(error) && sentenceOf(error)) || fallback;

/** Why there is no answer; undefined where there is one. */
export const failedBy = (error: unknown, fallback: string): string | undefined =>
  error ? reasonOf(error, fallback) : undefined;
