import { Button, Group } from '@mantine/core';
import { isFinal, type JobError, type JobItem } from '@vigie/contracts/jobs';
import { ArrowUpCircle } from 'lucide-react';
import { useState } from 'react';
import { isApiError } from '../../kit/query/api-error';
import { FailedJob, JobMessages, RefusedRequest, RunningJob } from '../../kit/job/JobMessages';
import { useJob } from '../../kit/job/useJobs';
import { useWork } from '../../kit/job/useWork';
import { Status } from '../../ui/Status';
import { useFocusHandOver } from '../../ui/focus';
import { changesApi } from './changes.api';
import styles from './changes.module.css';
import { changeEnd, isLicenceError, licenceMissing, outcomeLabel, formatReceivedError, stepText } from './words';

type Props = {
  site: { id: string; name: string };
  plugin: { slug: string; name: string };
  /** The installed version. */
  version: string | null;
  hasUpdate: boolean;
  isBlocked: boolean;
  /** The id of a job that already runs for the plugin. */
  jobId: string | null;
};

const updateKey = 'update';
const updateEnd = { ...changeEnd, failed: (_: JobItem, error: JobError | null) => formatReceivedError(error) };

/**
 * Starts an update and follows its job to its end, even if the list of sites is the first to know the new version. What came
 * of it is shown until the version changes.
 */
function useUpdate({ site, plugin, version, jobId }: Props) {
  const [update, { isLoading }] = changesApi.useUpdatePluginMutation();
  const [started, setStarted] = useState<{ jobId: string; version: string | null }>();
  const id = jobId ?? started?.jobId;
  const { currentData: currentJob, error: jobError } = useJob(id);
  const work = useWork(currentJob ? [currentJob] : [], updateEnd);
  // A deleted job counts as ended.
  const isOver = currentJob ? isFinal(currentJob.state) : isApiError(jobError) && jobError.status === 404;
  const send = async () => {
    const answer = await update({ id: site.id, kind: 'plugin', slug: plugin.slug });
    if (answer.data) setStarted({ jobId: answer.data.job_id, version });
    return answer;
  };
  const dismiss = () => {
    work.dismissRefusals();
    setStarted(undefined);
  };
  return {
    start: () => void work.ask(updateKey, send),
    dismiss,
    refusal: work.refusals.get(updateKey),
    currentJob,
    isBusy: isLoading || (id !== undefined && !isOver),
    ended: isOver && id === started?.jobId && version === started?.version ? currentJob : undefined,
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
    <Group ref={container} justify="flex-end" gap="4px 8px">
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
    </Group>
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
