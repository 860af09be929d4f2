import { useState } from 'react';
import { isApiError } from '../../kit/query/api-error';
import { reportFailure } from '../../kit/query/failures';

/** Shows the failure of a call on this screen and in a toast. */
export function useFailure() {
  const [failure, setFailure] = useState<string>();
  const fail = (error: unknown, fallback: string): void => {
    const isNetworkError = isApiError(error) && error.kind === 'network';
    setFailure(reportFailure(error, isNetworkError ? 'Erreur de connexion' : fallback));
  };
  return { failure, fail, clearFailure: () => setFailure(undefined) };
}
