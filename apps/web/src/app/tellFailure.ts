import { toast } from '../ui/toasts';
import { detailsOf, isApiError, sentenceOf } from './api-error';

/** Says in a toast why a call failed, and gives the sentence back for the place where it happened. */
export function tellFailure(error: unknown, fallback: string): string {
  const sentence = (isApiError(error) ? sentenceOf(error) : undefined) ?? fallback;
  toast.error(sentence, isApiError(error) ? detailsOf(error) : undefined);
  return sentence;
}
