import { useEffect, useState } from 'react';
import { failedBy } from './failed';
import { tellFailure } from './tellFailure';

type Answer = { error?: unknown; refetch: () => PromiseLike<unknown> };

/** The answer that a list is shown from, with why there is none, and another attempt where somebody asks for it. */
export function useListed<A extends Answer>(answer: A, failed: string) {
  const { error, refetch } = answer;
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (error) tellFailure(error, failed);
  }, [error, failed]);
  const refresh = async () => {
    setAsking(true);
    await refetch();
    setAsking(false);
  };
  const sentence = failedBy(error, failed);
  return { ...answer, sentence, isAsking, refresh: () => void refresh() };
}
