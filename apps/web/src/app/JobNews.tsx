import { Link } from '@tanstack/react-router';
import type { JobError, JobItem } from '@vigie/contracts/jobs';
import type { ReactNode } from 'react';
import { Callout } from '../ui/Callout';
import { JobProgress } from '../ui/JobProgress';
import { Status } from '../ui/Status';
import { useFocusHandOver } from '../ui/useFocusHandOver';
import { atJob } from './atJob';
import styles from './JobNews.module.css';
import { useJob } from './useJob';

export const JobLink = ({ id, label }: { id: string; label: string }) => (
  <Link to="." search={atJob(id)} resetScroll={false} aria-label={label}>
    Voir la tâche
  </Link>
);

export function Dismiss({ name, onDismiss }: { name: string; onDismiss: () => void }) {
  const button = useFocusHandOver<HTMLButtonElement>('[data-keeps-focus]');
  return (
    <button
      ref={button}
      type="button"
      aria-label={`Masquer le message de ${name}`}
      className={styles['word']}
      onClick={onDismiss}
    >
      Masquer
    </button>
  );
}

export const News = ({ children }: { children: ReactNode }) => <div className={styles['news']}>{children}</div>;

type RunningProps = {
  name: string;
  step: string;
  /** The item that the job works on, when the row does not already name it. */
  about?: string | null;
  job: JobItem | undefined;
  onCancel?: (job: JobItem) => void;
};

export function Running({ name, step, about, job, onCancel }: RunningProps) {
  return (
    <div className={styles['running']}>
      <Status tone="info">{step}</Status>
      {about && <span className={styles['why']}>{about}</span>}
      {job?.state === 'running' && job.progress && <JobProgress progress={job.progress} />}
      {job && <JobLink id={job.id} label={`Voir la tâche de ${name}`} />}
      {job && onCancel && (
        <button
          type="button"
          aria-label={`Annuler\u00a0: ${name}`}
          className={styles['word']}
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
  spell: (error: JobError) => string;
  /** What the failure leaves behind, when the error does not say it. */
  aftermath?: string | undefined;
  onDismiss: () => void;
};

/** A list holds a short error; the job itself is read for the output of the host and the remedy. */
export function Failed({ name, job, tone, word, spell, aftermath, onDismiss }: FailedProps) {
  const { currentData: whole } = useJob(job.id);
  const error = (whole ?? job).error;
  return (
    <Callout tone={tone}>
      <p>
        {word} {error && <span className={styles['why']}>{spell(error)}</span>}
      </p>
      {aftermath !== undefined && <p className={styles['why']}>{aftermath}</p>}
      {error?.remedy !== undefined && <p className={styles['why']}>{error.remedy}</p>}
      <div className={styles['ways']}>
        <JobLink id={job.id} label={`Voir la tâche de ${name}`} />
        <Dismiss name={name} onDismiss={onDismiss} />
      </div>
    </Callout>
  );
}

type RefusedProps = { name: string; sentence: string; onDismiss: () => void };

/** The server refused to start the job. */
export const Refused = ({ name, sentence, onDismiss }: RefusedProps) => (
  <Callout tone="danger">
    <p className={styles['why']}>{sentence}</p>
    <div className={styles['ways']}>
      <Dismiss name={name} onDismiss={onDismiss} />
    </div>
  </Callout>
);
