import { Link } from '@tanstack/react-router';
import type { JobError, JobItem } from '@vigie/contracts/jobs';
import type { ReactNode } from 'react';
import { Callout } from '../../ui/Callout';
import { JobProgress } from '../../ui/JobProgress';
import { Status } from '../../ui/Status';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { withJobParam } from './withJobParam';
import styles from './JobMessages.module.css';
import { useJob } from './useJob';

export const JobLink = ({ id, label }: { id: string; label: string }) => (
  <Link to="." search={withJobParam(id)} resetScroll={false} aria-label={label}>
    Voir la tâche
  </Link>
);

export function DismissButton({ name, onDismiss }: { name: string; onDismiss: () => void }) {
  const button = useFocusHandOver<HTMLButtonElement>('[data-keeps-focus]');
  return (
    <button
      ref={button}
      type="button"
      aria-label={`Masquer le message de ${name}`}
      className={styles['textButton']}
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
    <div className={styles['running']}>
      <Status tone="info">{step}</Status>
      {about && <span className={styles['detail']}>{about}</span>}
      {job?.state === 'running' && job.progress && <JobProgress progress={job.progress} />}
      {job && <JobLink id={job.id} label={`Voir la tâche de ${name}`} />}
      {job && onCancel && (
        <button
          type="button"
          aria-label={`Annuler\u00a0: ${name}`}
          className={styles['textButton']}
          disabled={job.is_cancelling}
          onClick={() => onCancel(job)}
        >
          {job.is_cancelling ? 'Annulation…' : 'Annuler'}
        </button>
      )}
    </div>
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
        {word} {error && <span className={styles['detail']}>{formatError(error)}</span>}
      </p>
      {consequence !== undefined && <p className={styles['detail']}>{consequence}</p>}
      {error?.remedy !== undefined && <p className={styles['detail']}>{error.remedy}</p>}
      <div className={styles['buttons']}>
        <JobLink id={job.id} label={`Voir la tâche de ${name}`} />
        <DismissButton name={name} onDismiss={onDismiss} />
      </div>
    </Callout>
  );
}

type RefusedProps = { name: string; message: string; onDismiss: () => void };

/** The server refused to start the job. */
export const RefusedRequest = ({ name, message, onDismiss }: RefusedProps) => (
  <Callout tone="danger">
    <p className={styles['detail']}>{message}</p>
    <div className={styles['buttons']}>
      <DismissButton name={name} onDismiss={onDismiss} />
    </div>
  </Callout>
);
