import { Stack, Text } from '@mantine/core';
import type { Backup } from '@vigie/contracts/backups';
import type { JobItem } from '@vigie/contracts/jobs';
import { FailedJob, JobMessages, RefusedRequest, RunningJob } from '../../kit/job/JobMessages';
import { joinOutput } from '../../kit/query/api-error';
import { useCancelJob, useJob } from '../../kit/job/useJobs';
import { Callout } from '../../ui/Callout';
import { plural } from '../../ui/plural';
import styles from './backups.module.css';
import { Paths, RestoreOutcome } from './RestoreOutcome';
import { failureConsequence } from './restore-words';
import type { RestoreRequest } from './restore-request';
import type { Backups } from './useBackups';
import { jobName, outcomeLabel, stepText } from './words';

type Props = {
  backups: Backups;
  /** The jobs that no row of the list shows. */
  jobs: BackupJobs;
  items: readonly Backup[] | undefined;
  /** Undefined where the caller may only see the backups. */
  onRestore: ((restoreRequest: RestoreRequest) => void) | undefined;
};

/** The files that a backup could not read. */
const MissedFilesWarning = ({ filename, missed, examples }: NonNullable<Backups['made']>) => (
  <Callout tone="warn">
    <p>
      {`${plural(missed, 'fichier n’a pas pu être lu', 'fichiers n’ont pas pu être lus')} et ne figure${missed > 1 ? 'nt' : ''} pas dans ${filename}\u00a0:`}
    </p>
    <Paths paths={examples} />
  </Callout>
);

/** The last line of the log tells whether a restore can still be cancelled. */
function LastLogLine({ id }: { id: string }) {
  const { currentData } = useJob(id);
  const text = currentData?.log.at(-1)?.text;
  return text ? <Text fz={13}>{text}</Text> : null;
}

function RunningBackupJob({ job, canCancel }: { job: JobItem; canCancel: boolean }) {
  const [cancel] = useCancelJob();
  return (
    <JobMessages>
      <RunningJob
        name={jobName(job)}
        step={stepText(job)}
        about={job.about}
        job={job}
        {...(canCancel && { onCancel: () => void cancel({ id: job.id }) })}
      />
      {job.is_cancelling && job.kind === 'backups.restore' && <LastLogLine id={job.id} />}
    </JobMessages>
  );
}

export type BackupJobs = Pick<Backups, 'open' | 'failed'>;
type JobLinesProps = BackupJobs & Pick<Backups, 'dismiss'> & { canCancel: boolean };

/** The jobs that run, and those that failed. */
export const JobLines = ({ open, failed, canCancel, dismiss }: JobLinesProps) => (
  <>
    {open.map((job) => (
      <RunningBackupJob key={job.id} job={job} canCancel={canCancel} />
    ))}
    {failed.map((job) => (
      <FailedJob
        key={job.id}
        name={jobName(job)}
        job={job}
        {...outcomeLabel(job)}
        formatError={joinOutput}
        consequence={failureConsequence(job)}
        onDismiss={() => dismiss(job.id)}
      />
    ))}
  </>
);

export function BackupMessages({ backups, jobs, items, onRestore }: Props) {
  const { restored, refusal, made, dismiss } = backups;
  return (
    <Stack gap={8} className={styles['messages'] ?? ''}>
      {refusal !== undefined && <RefusedRequest name="la demande" message={refusal} onDismiss={() => dismiss()} />}
      <JobLines {...jobs} canCancel={onRestore !== undefined} dismiss={dismiss} />
      {restored && (
        <RestoreOutcome
          key={restored.id}
          job={restored}
          items={items}
          isRestoring={backups.isRestoring}
          onRestore={onRestore}
          onDismiss={() => dismiss(restored.id)}
        />
      )}
      {made && made.missed > 0 && <MissedFilesWarning {...made} />}
    </Stack>
  );
}
