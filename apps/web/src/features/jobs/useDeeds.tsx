import type { JobItem } from '@vigie/contracts/jobs';
import { type ReactNode, useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { jobsApi } from './jobs.api';
import { nameOf } from './kinds';

/** What can be done about a job from where it is shown. What runs is ended only once somebody said so twice. */
export function useDeeds(onAgain?: (id: string) => void) {
  const [cancel, { isLoading: isCancelling }] = jobsApi.useCancelJobMutation();
  const [retry, { isLoading: isRetrying }] = jobsApi.useRetryJobMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const [ending, setEnding] = useState<JobItem>();
  const [failure, setFailure] = useState<string>();
  const end = async (job: JobItem): Promise<void> => {
    const { error } = await cancel(job.id);
    setFailure(error && tellFailure(error, 'La tâche n’a pas pu être annulée.'));
    if (!error) setEnding(undefined);
  };
  const again = async ({ id }: JobItem): Promise<void> => {
    const { data, error } = await retry({ id, idempotencyKey: keyFor({ id }) });
    if (error) {
      tellFailure(error, 'La tâche n’a pas pu être relancée.');
      return;
    }
    renewKey();
    onAgain?.(data.id);
  };
  const dialog: ReactNode = ending && (
    <ConfirmDialog
      title="Annuler cette tâche en cours&#8239;?"
      action="Annuler la tâche"
      refusal="Laisser continuer"
      isBusy={isCancelling}
      failure={failure}
      onConfirm={() => void end(ending)}
      onCancel={() => setEnding(undefined)}
    >
      <p>
        <strong>{nameOf(ending)}</strong>
        {' s’arrêtera à la prochaine étape sûre. Ce qui est déjà fait le reste.'}
      </p>
    </ConfirmDialog>
  );
  return {
    dialog,
    isRetrying,
    cancel: (job: JobItem) => (job.state === 'running' ? setEnding(job) : void end(job)),
    retry: (job: JobItem) => void again(job),
  };
}

export type Deeds = Pick<ReturnType<typeof useDeeds>, 'cancel' | 'retry'>;
