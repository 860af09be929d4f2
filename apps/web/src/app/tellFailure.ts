import { toast } from '../ui/toasts';
import { detailsOf, isApiError } from './api-error';
import { reasonOf } from './failed';

/** Shows the message in a toast, with the details of the error to copy. */
export const toastFailure = (message: string, error: unknown): void =>
  toast.error(message, isApiError(error) ? detailsOf(error) : undefined);

/** Shows in a toast why a call failed, and returns the message so that the caller can show it too. */
export function tellFailure(error: unknown, fallback: string): string {
  const message = reasonOf(error, fallback);
  toastFailure(message, error);
  return message;
}
