import { toast } from '../ui/toasts';
import { detailsOf, isApiError } from './api-error';
import { reasonOf } from './failed';

/** Says this in a toast, with what the error gives to paste to whoever runs the server. */
export const toastFailure = (sentence: string, error: unknown): void =>
  toast.error(sentence, isApiError(error) ? detailsOf(error) : undefined);

/** Says in a toast why a call failed, and gives the sentence back for the place where it happened. */
export function tellFailure(error: unknown, fallback: string): string {
  const sentence = reasonOf(error, fallback);
  toastFailure(sentence, error);
  return sentence;
}
