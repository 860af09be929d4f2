import { formatWait } from '../../ui/dates';
import { toast } from '../../ui/toasts';
import { errorDetails, isApiError, joinOutput } from './api-error';

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

/** What the endpoint says about a failed call. An error that is no answer is a bug, or a call that was given up. */
export function sentenceOf(error: unknown): string | undefined {
  if (!error || isGivenUp(error)) return undefined;
  return isApiError(error) ? error.sentence : 'La demande n’a pas abouti. Réessayez.';
}

const isGivenUp = (error: unknown) =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError';

/** The state of a mutation, as a dialog shows it. */
export type CallState = { isLoading: boolean; error?: unknown };

/** Shows the sentence in a toast, with the details of the error to copy. */
export const toastFailure = (sentence: string, error: unknown): void =>
  toast.error(sentence, isApiError(error) ? errorDetails(error) : undefined);

/** Shows in a toast why something failed that is no endpoint's call, and returns the sentence. */
export function reportFailure(error: unknown, fallback: string): string {
  const sentence = failureReason(error, fallback);
  toastFailure(sentence, error);
  return sentence;
}

export const failureMessage = (error: unknown, fallback: string): string | undefined =>
  error ? failureReason(error, fallback) : undefined;
