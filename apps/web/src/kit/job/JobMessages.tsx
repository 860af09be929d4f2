import { Box, Group, Text } from '@mantine/core';
import type { JobError, JobItem } from '@vigie/contracts/jobs';
import type { ReactNode } from 'react';
import { Callout } from '../../ui/Callout';
import { JobProgress } from '../../ui/JobProgress';
import { Status } from '../../ui/Status';
import links from '../../ui/links.module.css';
import { useFocusHandOver } from '../../ui/focus';
import { JobLink } from './JobLink';
import styles from './JobMessages.module.css';
import { useJob } from './useJobs';

/** In the message about a job. */
export const SeeJob = ({ id, label }: { id: string; label: string }) => (
  <JobLink id={id} aria-label={label} className={links['inline'] ?? ''}>
    Voir la tâche
  </JobLink>
);

export function DismissButton({ name, onDismiss }: { name: string; onDismiss: () => void }) {
  const button = useFocusHandOver<HTMLButtonElement>('[data-keeps-focus]');
  return (
    <button
      ref={button}
      type="button"
      aria-label={`Masquer le message de ${name}`}
      className={links['inline']}
      onClick={onDismiss}
    >
      Masquer
    </button>
  );
}

export const JobMessages = ({ children }: { children: ReactNode }) => (
  <div className={styles['messages']}>{children}</div>
);

type RunningProps = {
  name: string;
  step: string;
  /** The item that the job works on, when the row does not already name it. */
  about?: string | null;
  job: JobItem | undefined;
  onCancel?: (job: JobItem) => void;
};

export function RunningJob({ name, step, about, job, onCancel }: RunningProps) {
  return (
    <Group gap="4px 12px" py={4} fz={13}>
      <Status tone="info">{step}</Status>
      {about && <span>{about}</span>}
      {job?.state === 'running' && job.progress && (
        <Box flex="1 1 160px" maw={360}>
          <JobProgress progress={job.progress} />
        </Box>
      )}
      {job && <SeeJob id={job.id} label={`Voir la tâche de ${name}`} />}
      {job && onCancel && (
        <button
          type="button"
          aria-label={`Annuler\u00a0: ${name}`}
          className={links['inline']}
          disabled={job.is_cancelling}
          onClick={() => onCancel(job)}
        >
          {job.is_cancelling ? 'Annulation…' : 'Annuler'}
        </button>
      )}
    </Group>
  );
}

type FailedProps = {
  name: string;
  job: JobItem;
  tone: 'danger' | 'warn';
  word: string;
  formatError: (error: JobError) => string;
  /** What the failure leaves behind, when the error does not say it. */
  consequence?: string | undefined;
  onDismiss: () => void;
};

/** A list holds a short error; the job itself is read for the output of the host and the remedy. */
export function FailedJob({ name, job, tone, word, formatError, consequence, onDismiss }: FailedProps) {
  const { currentData: fullJob } = useJob(job.id);
  const error = (fullJob ?? job).error;
  return (
    <Callout tone={tone}>
      <p>
        {word}{' '}
        {error && (
          <Text span fw={400}>
            {formatError(error)}
          </Text>
        )}
      </p>
      {consequence !== undefined && <Text fw={400}>{consequence}</Text>}
      {error?.remedy !== undefined && <Text fw={400}>{error.remedy}</Text>}
      <Group gap="4px 12px" fz={13}>
        <SeeJob id={job.id} label={`Voir la tâche de ${name}`} />
        <DismissButton name={name} onDismiss={onDismiss} />
      </Group>
    </Callout>
  );
}

type RefusedProps = { name: string; message: string; onDismiss: () => void };

/** The server refused to start the job. */
export const RefusedRequest = ({ name, message, onDismiss }: RefusedProps) => (
  <Callout tone="danger">
    <Text fw={400}>{message}</Text>
    <Group gap="4px 12px" fz={13}>
      <DismissButton name={name} onDismiss={onDismiss} />
    </Group>
  </Callout>
);
