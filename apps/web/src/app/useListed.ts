import { useEffect, useEffectEvent, useState } from 'react';
import { failedBy } from './failed';
import { tellFailure } from './tellFailure';

type Answer = { error?: unknown; refetch: () => PromiseLike<{ error?: unknown }> };

/** Adds to the query of a list its failure message, which a toast shows once, and a refresh. */
export function useListed<A extends Answer>(answer: A, failed: string) {
  const { error, refetch } = answer;
  const [isAsking, setAsking] = useState(false);
  const isFailed = Boolean(error);
  const tell = useEffectEvent(() => tellFailure(error, failed));
  // One toast for a series of failures: the screen keeps showing the message.
  useEffect(() => {
    if (isFailed) tell();
  }, [isFailed]);
  const refresh = async () => {
    setAsking(true);
    const again = await refetch();
    setAsking(false);
    if (isFailed && again.error) tellFailure(again.error, failed);
  };
  const sentence = failedBy(error, failed);
  return { ...answer, sentence, isAsking, refresh: () => void refresh() };
}
