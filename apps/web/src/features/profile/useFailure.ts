import { useState } from 'react';
import { detailsOf, isApiError, sentenceOf } from '../../app/api-error';
import { toast } from '../../ui/toasts';

/** What a call of this panel failed with: the server's sentence first, said here and in a toast. */
export function useFailure(fallback: string) {
  const [failure, setFailure] = useState<string>();
  const fail = (error: unknown): void => {
    const refused = isApiError(error) ? error : undefined;
    const sentence = (refused && sentenceOf(refused)) ?? fallback;
    setFailure(sentence);
    toast.error(sentence, refused && detailsOf(refused));
  };
  return { failure, fail, forget: () => setFailure(undefined) };
}
