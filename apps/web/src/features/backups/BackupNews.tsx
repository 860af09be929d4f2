import { Button } from '@mantine/core';
import type { Backup } from '@vigie/contracts/backups';
import type { JobItem } from '@vigie/contracts/jobs';
import { FolderOpen, Save } from 'lucide-react';
import { FailedJob, JobMessages, RefusedRequest, RunningJob } from '../../app/JobMessages';
import { joinOutput } from '../../app/api-error';
import { tellFailure } from '../../app/tellFailure';
import { useCancelJob, useJob } from '../../app/useJob';
import { Callout } from '../../ui/Callout';
import { plural } from '../../ui/plural';
import styles from './Backups.module.css';
import { Restored } from './Restored';
import { aftermathOf } from './restore-words';
import type { Restoring } from './restoring';
import type { Backups, NewArchive } from './useBackups';
import { nameOf, outcomeOf, stepOf } from './words';

type Ways = { onSave: (filename: string) => void; onOpen: (filename: string) => void };
type Props = Ways & {
  backups: Backups;
  items: readonly Backup[] | undefined;
  onRestore: (restoring: Restoring) => void;
};

/** A backup was downloaded to Vigie; offers to save or open it. */
const Stored = ({ filename, onSave, onOpen }: { filename: string } & Ways) => (
  <Callout tone="ok">
    <p className={styles['said']}>
      <strong>{filename}</strong> est dans Vigie.
    </p>
    <div className={styles['ways']}>
      <Button leftSection={<Save size={16} aria-hidden />} onClick={() => onSave(filename)}>
        Enregistrer sur cet ordinateur
      </Button>
      <Button variant="default" leftSection={<FolderOpen size={16} aria-hidden />} onClick={() => onOpen(filename)}>
        Ouvrir
      </Button>
    </div>
  </Callout>
);

/** The files that a backup could not read. */
const Missed = ({ made: { filename, missed, examples } }: Extract<NewArchive, { is: 'made' }>) => (
  <Callout tone="warn">
    <p className={styles['said']}>
      {`${plural(missed, 'fichier n’a pas pu être lu', 'fichiers n’ont pas pu être lus')} et ne figure${missed > 1 ? 'nt' : ''} pas dans ${filename}\u00a0:`}
    </p>
    <ul className={styles['missed']}>
      {examples.map((path) => (
        <li key={path}>
          <code>{path}</code>
        </li>
      ))}
    </ul>
  </Callout>
);

/** The last line of the log tells whether a restore can still be cancelled. */
function LastWord({ id }: { id: string }) {
  const { currentData } = useJob(id);
  const text = currentData?.log.at(-1)?.text;
  return text ? <p className={styles['detail']}>{text}</p> : null;
}

function UnderWay({ job }: { job: JobItem }) {
  const [cancel] = useCancelJob();
  const end = async () => {
    const { error } = await cancel(job.id);
    if (error) tellFailure(error, 'La tâche n’a pas pu être annulée.');
  };
  return (
    <JobMessages>
      <RunningJob name={nameOf(job)} step={stepOf(job)} about={job.about} job={job} onCancel={() => void end()} />
      {job.is_cancelling && job.kind === 'backups.restore' && <LastWord id={job.id} />}
    </JobMessages>
  );
}

export function BackupNews({ backups, items, onRestore, ...ways }: Props) {
  const { open, failed, restored, refusal, fresh, dismiss } = backups;
  return (
    <div className={styles['news']}>
      {open.map((job) => (
        <UnderWay key={job.id} job={job} />
      ))}
      {refusal !== undefined && <RefusedRequest name="la demande" message={refusal} onDismiss={() => dismiss()} />}
      {failed.map((job) => (
        <FailedJob
          key={job.id}
          name={nameOf(job)}
          job={job}
          {...outcomeOf(job)}
          formatError={joinOutput}
          consequence={aftermathOf(job)}
          onDismiss={() => dismiss(job.id)}
        />
      ))}
      {restored && (
        <Restored
          key={restored.id}
          job={restored}
          items={items}
          isRestoring={backups.isRestoring}
          onRestore={onRestore}
          onDismiss={() => dismiss(restored.id)}
        />
      )}
      {fresh?.is === 'stored' && <Stored filename={fresh.filename} {...ways} />}
      {fresh?.is === 'made' && fresh.made.missed > 0 && <Missed {...fresh} />}
    </div>
  );
}
