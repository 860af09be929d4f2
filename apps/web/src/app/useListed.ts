import { useEffect, useEffectEvent, useState } from 'react';
import { failedBy } from './failed';
import { tellFailure } from './tellFailure';

type Answer = { error?: unknown; refetch: () => PromiseLike<{ error?: unknown }> };

/** Adds to the query of a list its failure message, which a toast shows once, and a refresh. */
export function useListed<A extends Answer>(answer: A, fallback: string) {
  const { error, refetch } = answer;
  const [isRefreshing, setRefreshing] = useState(false);
  const isFailed = Boolean(error);
  const report = useEffectEvent(() => tellFailure(error, fallback));
  // One toast for a series of failures: the screen keeps showing the message.
  useEffect(() => {
    if (isFailed) report();
  }, [isFailed]);
  const refresh = async () => {
    setRefreshing(true);
    const retried = await refetch();
    setRefreshing(false);
    if (isFailed && retried.error) tellFailure(retried.error, fallback);
  };
  const sentence = failedBy(error, fallback);
  return { ...answer, sentence, isAsking: isRefreshing, refresh: () => void refresh() };
}
