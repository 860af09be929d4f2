import { useState } from 'react';
import { detailsOf, isApiError, sentenceOf } from '../../app/api-error';
import { toast } from '../../ui/toasts';

/** What a call of this screen failed with, said here and in a toast. */
export function useFailure() {
  const [failure, setFailure] = useState<string>();
  const fail = (error: unknown, fallback: string): void => {
    const refused = isApiError(error) ? error : undefined;
    const sentence =
      refused?.kind === 'network' ? 'Erreur de connexion' : ((refused && sentenceOf(refused)) ?? fallback);
    setFailure(sentence);
    toast.error(sentence, refused && detailsOf(refused));
  };
  return { failure, fail, forget: () => setFailure(undefined) };
}
