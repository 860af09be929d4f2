import { useState } from 'react';
import { isApiError } from '../../app/api-error';
import { tellFailure } from '../../app/tellFailure';

/** What a call of this screen failed with, said here and in a toast. */
export function useFailure() {
  const [failure, setFailure] = useState<string>();
  const fail = (error: unknown, fallback: string): void => {
    const isUnreached = isApiError(error) && error.kind === 'network';
    setFailure(tellFailure(error, isUnreached ? 'Erreur de connexion' : fallback));
  };
  return { failure, fail, forget: () => setFailure(undefined) };
}
