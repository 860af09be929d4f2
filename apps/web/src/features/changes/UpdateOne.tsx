import { Button } from '@mantine/core';
import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { ArrowUpCircle } from 'lucide-react';
import { useState } from 'react';
import { isApiError } from '../../kit/query/api-error';
import { toastFailure } from '../../kit/query/failures';
import { FailedJob, JobMessages, RefusedRequest, RunningJob } from '../../kit/job/JobMessages';
import { useJob } from '../../kit/job/useJob';
import { Status } from '../../ui/Status';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { changesApi } from './changes.api';
import { changeRequest } from './change-requests';
import styles from './UpdateOne.module.css';
import { useEndToasts } from './useEndToasts';
import {
  isLicenceError,
  licenceMissing,
  outcomeLabel,
  receivedRefusalMessage,
  formatReceivedError,
  stepText,
} from './words';

type Props = {
  site: { id: string; name: string };
  plugin: { slug: string; name: string };
  hasUpdate: boolean;
  isBlocked: boolean;
  /** The id of a job that already runs for the plugin. */
  jobId: string | null;
};

const updateFailed = 'Échec de la mise à jour';

/** Starts an update and follows its job. */
function useUpdate({ site, plugin, jobId }: Props) {
  const [change, { isLoading }] = changesApi.useChangeMutation();
  const [startedJobId, setStartedJobId] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const id = startedJobId ?? jobId ?? undefined;
  const { currentData: currentJob, error: jobError } = useJob(id);
  const track = useEndToasts(currentJob ? [currentJob] : [], ({ error }) => formatReceivedError(error));
  // A deleted job counts as ended.
  const isOver = currentJob ? isFinal(currentJob.state) : isApiError(jobError) && jobError.status === 404;
  const start = async (): Promise<void> => {
    setRefusal(undefined);
    const { verb, fields } = changeRequest('update', { kind: 'plugin', slug: plugin.slug });
    const form = { id: site.id, verb, fields };
    const { data, error } = await change(form);
    if (data) {
      track(data.job_id);
      return setStartedJobId(data.job_id);
    }
    const sentence = receivedRefusalMessage(error, updateFailed);
    toastFailure(sentence, error);
    setRefusal(sentence);
  };
  const dismiss = () => {
    setRefusal(undefined);
    setStartedJobId(undefined);
  };
  return {
    start: () => void start(),
    dismiss,
    refusal,
    currentJob,
    isBusy: isLoading || (id !== undefined && !isOver),
    ended: startedJobId !== undefined && isOver ? currentJob : undefined,
  };
}

const failedJob = (ended: JobItem | undefined) =>
  ended && ended.state !== 'succeeded' && ended.state !== 'cancelled' ? ended : undefined;

/** The host refused because a licence is missing. */
const isLicenceRefusal = (failure: JobItem | undefined): boolean =>
  Boolean(failure?.error && isLicenceError(failure.error));

type UpdateButtonProps = Pick<Props, 'site' | 'plugin' | 'isBlocked'> & { onStart: () => void };

/** The button disappears when the update starts, and moves the focus to its row. */
function UpdateButton({ site, plugin, isBlocked, onStart }: UpdateButtonProps) {
  const container = useFocusHandOver<HTMLDivElement>('[data-keeps-focus]');
  return (
    <div ref={container} className={styles['updateButton']}>
      {isBlocked && (
        <span title={licenceMissing}>
          <Status tone="licence">Licence requise</Status>
        </span>
      )}
      <Button
        variant="default"
        aria-label={`Mettre à jour ${plugin.name} sur ${site.name}`}
        title={isBlocked ? licenceMissing : undefined}
        disabled={isBlocked}
        leftSection={<ArrowUpCircle size={16} aria-hidden />}
        onClick={onStart}
      >
        Mettre à jour
      </Button>
    </div>
  );
}

/** The update of a plugin on one site. */
export function UpdateOne(props: Props) {
  const { site, plugin, hasUpdate } = props;
  const { start, dismiss, refusal, currentJob, isBusy, ended } = useUpdate(props);
  const failure = failedJob(ended);
  const isBlocked = props.isBlocked || isLicenceRefusal(failure) || refusal === licenceMissing;
  return (
    <div className={styles['update']}>
      {hasUpdate && ended?.state !== 'succeeded' && !isBusy && (
        <UpdateButton site={site} plugin={plugin} isBlocked={isBlocked} onStart={start} />
      )}
      <JobMessages>
        {isBusy && (
          <RunningJob
            name={`${plugin.name} sur ${site.name}`}
            step={currentJob ? stepText(currentJob) : 'Demande en cours'}
            job={currentJob}
          />
        )}
        {refusal !== undefined && <RefusedRequest name={site.name} message={refusal} onDismiss={dismiss} />}
        {failure && (
          <FailedJob
            name={site.name}
            job={failure}
            tone={outcomeLabel(failure).tone === 'danger' ? 'danger' : 'warn'}
            word={outcomeLabel(failure).word}
            formatError={formatReceivedError}
            onDismiss={dismiss}
          />
        )}
      </JobMessages>
    </div>
  );
}
