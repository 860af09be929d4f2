import { Box, Button, Group, Text } from '@mantine/core';
import type { Backup } from '@vigie/contracts/backups';
import type { JobItem } from '@vigie/contracts/jobs';
import { RestoreResult } from '@vigie/contracts/restores';
import { History } from 'lucide-react';
import { DismissButton, SeeJob } from '../../kit/job/JobMessages';
import { useJob } from '../../kit/job/useJobs';
import { Callout } from '../../ui/Callout';
import { Disclosure } from '../../ui/Disclosure';
import styles from './backups.module.css';
import { type RestoreRequest, undoRestore } from './restore-request';
import { describeRestore, formatCounts, homePageText, skippedText } from './restore-words';
import { formatMegabytes, jobName } from './words';

type UndoProps = {
  restored: RestoreResult;
  items: readonly Backup[] | undefined;
  isRestoring: boolean;
  /** Undefined where the caller may not restore. */
  onRestore: ((restoreRequest: RestoreRequest) => void) | undefined;
};

/** Offers to restore the safety backup, while the host still has it. */
function UndoRestore({ restored, items, isRestoring, onRestore }: UndoProps) {
  const { filename, size } = restored.safety;
  const safety = items?.find((backup) => backup.filename === filename && backup.location === 'Distant');
  return (
    <>
      <Text fz={13} fw={400}>
        {'L’état d’avant est gardé sur l’hôte du site\u00a0: '}
        <strong>{filename}</strong>
        {`, ${formatMegabytes(size)}.`}
        {items && !safety && ' Cette sauvegarde n’y est plus.'}
      </Text>
      {safety && onRestore && (
        <Group mt={4} className={styles['buttons'] ?? ''}>
          <Button
            variant="default"
            disabled={isRestoring}
            leftSection={<History size={16} aria-hidden />}
            onClick={() => onRestore(undoRestore(safety, restored))}
          >
            Revenir à l’état d’avant
          </Button>
        </Group>
      )}
    </>
  );
}

function Skipped({ skipped, examples }: Pick<RestoreResult, 'skipped' | 'examples'>) {
  if (skipped === 0) return null;
  return (
    <Box fz={13} fw={400}>
      <Disclosure name={skippedText(skipped)}>
        <Paths paths={examples} />
      </Disclosure>
    </Box>
  );
}

type Props = Omit<UndoProps, 'restored'> & { job: JobItem; onDismiss: () => void };

/** The result of the newest restore. */
export function RestoreOutcome({ job, onDismiss, ...undo }: Props) {
  const { currentData: fullJob } = useJob(job.id);
  const restored = RestoreResult.safeParse(fullJob?.result).data;
  if (!restored) return null;
  const facts = [formatCounts(restored), homePageText(restored.http_status)].filter(Boolean);
  const name = jobName(job);
  return (
    <Callout tone={job.error ? 'danger' : restored.warnings.length === 0 ? 'ok' : 'warn'}>
      <p>{job.error?.message ?? describeRestore(restored)}</p>
      {facts.length > 0 && (
        <Text fz={13} fw={400}>
          {facts.join(' · ')}
        </Text>
      )}
      {restored.warnings
        .filter((warning) => job.error?.message.includes(warning) !== true)
        .map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
      <Skipped {...restored} />
      <UndoRestore restored={restored} {...undo} />
      <Group gap="4px 12px" fz={13}>
        <SeeJob id={job.id} label={`Voir la tâche de ${name}`} />
        <DismissButton name={name} onDismiss={onDismiss} />
      </Group>
    </Callout>
  );
}

/** Some of the files that a backup or a restore left out. */
export const Paths = ({ paths }: { paths: readonly string[] }) => (
  <ul>
    {paths.map((path) => (
      <li key={path}>
        <code>{path}</code>
      </li>
    ))}
  </ul>
);
