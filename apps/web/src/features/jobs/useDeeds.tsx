import type { JobItem } from '@vigie/contracts/jobs';
import { type ReactNode, useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { needsAnswer } from './again';
import { jobsApi } from './jobs.api';
import { nameOf } from './kinds';
import { RetryDialog } from './RetryDialog';

/** Cancelling a running job needs a confirmation. */
function useEnd() {
  const [cancel, { isLoading: isCancelling }] = jobsApi.useCancelJobMutation();
  const [ending, setEnding] = useState<JobItem>();
  const [failure, setFailure] = useState<string>();
  const end = async (job: JobItem): Promise<void> => {
    const { error } = await cancel(job.id);
    setFailure(error && tellFailure(error, 'La tâche n’a pas pu être annulée.'));
    if (!error) setEnding(undefined);
  };
  const ask = (job: JobItem | undefined) => {
    setFailure(undefined);
    setEnding(job);
  };
  const dialog: ReactNode = ending && (
    <ConfirmDialog
      title="Annuler cette tâche en cours&#8239;?"
      action="Annuler la tâche"
      refusal="Laisser continuer"
      isBusy={isCancelling}
      failure={failure}
      onConfirm={() => void end(ending)}
      onCancel={() => ask(undefined)}
    >
      <p>
        <strong>{nameOf(ending)}</strong>
        {' s’arrêtera à la prochaine étape sûre. Ce qui est déjà fait le reste.'}
      </p>
    </ConfirmDialog>
  );
  return { dialog, cancel: (job: JobItem) => (job.state === 'running' ? ask(job) : void end(job)) };
}

function useAgain(onAgain?: (id: string) => void) {
  const [retry, { isLoading: isRetrying }] = jobsApi.useRetryJobMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const [asked, setAsked] = useState<JobItem>();
  const [failure, setFailure] = useState<string>();
  const again = async ({ id }: JobItem): Promise<void> => {
    const { data, error } = await retry({ id, idempotencyKey: keyFor({ id }) });
    setFailure(error && tellFailure(error, 'La tâche n’a pas pu être relancée.'));
    if (error) return;
    renewKey();
    setAsked(undefined);
    onAgain?.(data.id);
  };
  const ask = (job: JobItem | undefined) => {
    setFailure(undefined);
    setAsked(job);
  };
  const dialog: ReactNode = asked && (
    <RetryDialog
      job={asked}
      isBusy={isRetrying}
      failure={failure}
      onConfirm={() => void again(asked)}
      onCancel={() => ask(undefined)}
    />
  );
  return { dialog, isRetrying, retry: (job: JobItem) => (needsAnswer(job) ? ask(job) : void again(job)) };
}

export function useDeeds(onAgain?: (id: string) => void) {
  const ending = useEnd();
  const { isRetrying, retry, ...asking } = useAgain(onAgain);
  const dialog = (
    <>
      {ending.dialog}
      {asking.dialog}
    </>
  );
  return { dialog, isRetrying, cancel: ending.cancel, retry };
}

export type Deeds = Pick<ReturnType<typeof useDeeds>, 'cancel' | 'retry'>;
