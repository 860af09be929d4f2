import type { JobItem } from '@vigie/contracts/jobs';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { needsConfirmation } from './retry';
import { jobsApi } from '../../kit/job/jobs.api';
import { jobName } from '../../kit/job/kinds';
import { RetryDialog } from './RetryDialog';

/** Cancelling a running job needs a confirmation. */
function useCancelDialog() {
  const [cancel, call] = jobsApi.useCancelJobMutation();
  const [cancelling, setCancelling] = useState<JobItem>();
  const cancelJob = async (job: JobItem): Promise<void> => {
    const { error } = await cancel({ id: job.id });
    if (!error) setCancelling(undefined);
  };
  const openDialog = (job: JobItem | undefined) => {
    if (!call.isLoading) call.reset();
    setCancelling(job);
  };
  const dialog: ReactNode = cancelling && (
    <ConfirmDialog
      title="Annuler cette tâche en cours&#8239;?"
      action="Annuler la tâche"
      refusal="Laisser continuer"
      call={call}
      onConfirm={() => void cancelJob(cancelling)}
      onCancel={() => openDialog(undefined)}
    >
      <p>
        <strong>{jobName(cancelling)}</strong>
        {' s’arrêtera à la prochaine étape sûre. Ce qui est déjà fait le reste.'}
      </p>
    </ConfirmDialog>
  );
  return { dialog, cancel: (job: JobItem) => (job.state === 'running' ? openDialog(job) : void cancelJob(job)) };
}

function useRetryDialog(onRetried?: (id: string) => void) {
  const [retry, call] = jobsApi.useRetryJobMutation();
  const [jobToRetry, setJobToRetry] = useState<JobItem>();
  const retryJob = async ({ id }: JobItem): Promise<void> => {
    const { data, error } = await retry({ id });
    if (error) return;
    setJobToRetry(undefined);
    onRetried?.(data.id);
  };
  const openDialog = (job: JobItem | undefined) => {
    if (!call.isLoading) call.reset();
    setJobToRetry(job);
  };
  const dialog: ReactNode = jobToRetry && (
    <RetryDialog
      job={jobToRetry}
      call={call}
      onConfirm={() => void retryJob(jobToRetry)}
      onCancel={() => openDialog(undefined)}
    />
  );
  return {
    dialog,
    isRetrying: call.isLoading,
    retry: (job: JobItem) => (needsConfirmation(job) ? openDialog(job) : void retryJob(job)),
  };
}

export function useJobActions(onRetried?: (id: string) => void) {
  const cancelling = useCancelDialog();
  const { isRetrying, retry, ...retrying } = useRetryDialog(onRetried);
  const dialog = (
    <>
      {cancelling.dialog}
      {retrying.dialog}
    </>
  );
  return { dialog, isRetrying, cancel: cancelling.cancel, retry };
}

export type JobHandlers = Pick<ReturnType<typeof useJobActions>, 'cancel' | 'retry'>;
