import { Button, Group, Stack, Text } from '@mantine/core';
import type { Backup } from '@vigie/contracts/backups';
import type { JobItem } from '@vigie/contracts/jobs';
import { FolderOpen, Save } from 'lucide-react';
import { FailedJob, JobMessages, RefusedRequest, RunningJob } from '../../kit/job/JobMessages';
import { joinOutput } from '../../kit/query/api-error';
import { useCancelJob, useJob } from '../../kit/job/useJobs';
import { Callout } from '../../ui/Callout';
import { plural } from '../../ui/plural';
import styles from './backups.module.css';
import { Paths, RestoreOutcome } from './RestoreOutcome';
import { failureConsequence } from './restore-words';
import type { RestoreRequest } from './restore-request';
import type { Backups, NewArchive } from './useBackups';
import { jobName, outcomeLabel, stepText } from './words';

type MessageActions = { onSave: (filename: string) => void; onOpen: (filename: string) => void };
type Props = MessageActions & {
  backups: Backups;
  items: readonly Backup[] | undefined;
  onRestore: (restoreRequest: RestoreRequest) => void;
};

/** A backup was downloaded to Vigie; offers to save or open it. */
const StoredMessage = ({ filename, onSave, onOpen }: { filename: string } & MessageActions) => (
  <Callout tone="ok">
    <p>
      <strong>{filename}</strong> est dans Vigie.
    </p>
    <Group gap="8px 16px" mt={4} className={styles['buttons'] ?? ''}>
      <Button leftSection={<Save size={16} aria-hidden />} onClick={() => onSave(filename)}>
        Enregistrer sur cet ordinateur
      </Button>
      <Button variant="default" leftSection={<FolderOpen size={16} aria-hidden />} onClick={() => onOpen(filename)}>
        Ouvrir
      </Button>
    </Group>
  </Callout>
);

/** The files that a backup could not read. */
const MissedFilesWarning = ({ made: { filename, missed, examples } }: Extract<NewArchive, { kind: 'made' }>) => (
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

function RunningBackupJob({ job }: { job: JobItem }) {
  const [cancel] = useCancelJob();
  return (
    <JobMessages>
      <RunningJob
        name={jobName(job)}
        step={stepText(job)}
        about={job.about}
        job={job}
        onCancel={() => void cancel({ id: job.id })}
      />
      {job.is_cancelling && job.kind === 'backups.restore' && <LastLogLine id={job.id} />}
    </JobMessages>
  );
}

export function BackupMessages({ backups, items, onRestore, ...messageActions }: Props) {
  const { open, failed, restored, refusal, newArchive, dismiss } = backups;
  return (
    <Stack gap={8} className={styles['messages'] ?? ''}>
      {open.map((job) => (
        <RunningBackupJob key={job.id} job={job} />
      ))}
      {refusal !== undefined && <RefusedRequest name="la demande" message={refusal} onDismiss={() => dismiss()} />}
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
      {newArchive?.kind === 'stored' && <StoredMessage filename={newArchive.filename} {...messageActions} />}
      {newArchive?.kind === 'made' && newArchive.made.missed > 0 && <MissedFilesWarning {...newArchive} />}
    </Stack>
  );
}
