import { useEffect, useEffectEvent, useState } from 'react';
import { failureMessage, reportFailure } from '../query/failures';

type Answer = { error?: unknown; refetch: () => PromiseLike<{ error?: unknown }> };

/** Adds to the query of a list its failure message, which a toast shows once, and a refresh. */
export function useListQuery<A extends Answer>(answer: A, fallback: string) {
  const { error, refetch } = answer;
  const [isRefreshing, setRefreshing] = useState(false);
  const isFailed = Boolean(error);
  const report = useEffectEvent(() => reportFailure(error, fallback));
  // One toast for a series of failures: the screen keeps showing the message.
  useEffect(() => {
    if (isFailed) report();
  }, [isFailed]);
  const refresh = async () => {
    setRefreshing(true);
    const retried = await refetch();
    setRefreshing(false);
    if (isFailed && retried.error) reportFailure(retried.error, fallback);
  };
  const sentence = failureMessage(error, fallback);
  return { ...answer, sentence, isRefreshing, refresh: () => void refresh() };
}
