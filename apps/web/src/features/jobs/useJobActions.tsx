import { Stack } from '@mantine/core';
import type { JobItem } from '@vigie/contracts/jobs';
import { restoreWord } from '@vigie/contracts/restores';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { ConfirmWordForm } from '../../kit/dialog/ConfirmWordForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { jobsApi } from '../../kit/job/jobs.api';
import { jobName } from '../../kit/job/kinds';
import type { CallState } from '../../kit/query/failures';
import facts from '../../ui/About.module.css';
import { plural } from '../../ui/plural';
import { TimeAgo } from '../../ui/TimeAgo';
import { countRetries, describeRetry, needsConfirmation, needsTypedWord, retryLabel } from './retry';

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

function useAcknowledge() {
  const [acknowledge] = jobsApi.useAcknowledgeJobsMutation();
  return ({ id }: JobItem) => void acknowledge({ ids: [id] });
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
  return { dialog, isRetrying, cancel: cancelling.cancel, retry, acknowledge: useAcknowledge() };
}

export type JobHandlers = Pick<ReturnType<typeof useJobActions>, 'cancel' | 'retry' | 'acknowledge'>;

type Props = {
  job: JobItem;
  call: CallState;
  onConfirm: () => void;
  onCancel: () => void;
};

/** A repeated restore asks for the word again, because it overwrites the changes made on the site since. */
function RetryRestoreDialog({ job, onCancel, ...answer }: Props) {
  const { site_name: siteName, about, actor_name: actor, created_at: at } = job;
  return (
    <FormDialog title={`Relancer la restauration de ${siteName ?? 'ce site'}\u202f?`} onClose={onCancel}>
      <ConfirmWordForm word={restoreWord} action="Relancer" onCancel={onCancel} {...answer}>
        <dl className={facts['about']}>
          <dt>Archive</dt>
          <dd className={facts['file']}>{about}</dd>
          <dt>Demandée</dt>
          <dd>
            <TimeAgo at={at} />
            {actor !== null && ` par ${actor}`}
          </dd>
        </dl>
        <Stack gap={8}>
          <p>
            La même restauration recommence&#160;: l’archive remplace de nouveau le contenu du site, y compris ce qui y
            a été fait depuis.
          </p>
          <p>Vigie sauvegarde d’abord le site dans son état actuel&#160;: vous pourrez y revenir.</p>
          <p>Pour une autre archive ou d’autres choix, restaurez depuis les sauvegardes du site.</p>
        </Stack>
      </ConfirmWordForm>
    </FormDialog>
  );
}

function RetryDialog(props: Props) {
  const { job, ...answer } = props;
  if (needsTypedWord(job) || !job.counts) return <RetryRestoreDialog {...props} />;
  const title = `Relancer ${plural(countRetries(job), 'tâche', 'tâches')}\u202f?`;
  return (
    <ConfirmDialog title={title} action={retryLabel(job)} color="accent" {...answer}>
      <p>
        <strong>{jobName(job)}</strong>
      </p>
      <p>{describeRetry(job.counts).join(' ')}</p>
    </ConfirmDialog>
  );
}
