import { useEffect, useEffectEvent, useState } from 'react';
import { failedBy } from './failed';
import { tellFailure } from './tellFailure';

type Answer = { error?: unknown; refetch: () => PromiseLike<{ error?: unknown }> };

/** The answer that a list is shown from, with why there is none, and another attempt where somebody asks for it. */
export function useListed<A extends Answer>(answer: A, failed: string) {
  const { error, refetch } = answer;
  const [isAsking, setAsking] = useState(false);
  const isFailed = Boolean(error);
  const tell = useEffectEvent(() => tellFailure(error, failed));
  // Once, however many looks fail after it: the screen goes on saying it.
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
