import { toast } from '../../ui/toasts';
import { errorDetails, isApiError } from './api-error';
import { failureReason } from './failure-message';

/** Shows the message in a toast, with the details of the error to copy. */
export const toastFailure = (message: string, error: unknown): void =>
  toast.error(message, isApiError(error) ? errorDetails(error) : undefined);

/** Shows in a toast why a call failed, and returns the message so that the caller can show it too. */
export function reportFailure(error: unknown, fallback: string): string {
  const message = failureReason(error, fallback);
  toastFailure(message, error);
  return message;
}
