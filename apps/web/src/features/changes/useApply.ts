import type { JobTicket } from '@vigie/contracts/jobs';
import { useState } from 'react';
import { toastFailure } from '../../kit/query/failures';
import { useFollowBatch } from '../../kit/job/useStartedJobs';
import { refusalMessage } from './words';

type Answer = PromiseLike<{ data?: JobTicket; error?: unknown }>;

const failed = 'Échec des mises à jour groupées.';

/** Applies a plan as one batch, which the dock then shows. */
export function useApply<Form extends object>(send: (form: Form) => Answer, onStarted: () => void, fallback = failed) {
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  const follow = useFollowBatch();
  const apply = async (form: Form): Promise<void> => {
    setFailure(undefined);
    setSending(true);
    const { data, error } = await send(form);
    setSending(false);
    if (data) {
      onStarted();
      return follow(data.job_id);
    }
    const sentence = refusalMessage(error, fallback);
    toastFailure(sentence, error);
    setFailure(sentence);
  };
  return { apply: (form: Form) => void apply(form), isSending, failure };
}
