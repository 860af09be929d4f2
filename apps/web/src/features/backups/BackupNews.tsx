import { Button } from '@mantine/core';
import { FolderOpen, Save } from 'lucide-react';
import { Failed, News, Refused, Running } from '../../app/JobNews';
import { useCancelJob } from '../../app/useJob';
import { joinedOf } from '../../app/api-error';
import { Callout } from '../../ui/Callout';
import styles from './Backups.module.css';
import type { Backups, Fruit } from './useBackups';
import { nameOf, outcomeOf, spellCount, stepOf } from './words';

type Ways = { onSave: (filename: string) => void; onOpen: (filename: string) => void };

/** It came into Vigie: from here it goes on. */
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

/** What a whole backup would have had too. */
const Missed = ({ made: { filename, missed, examples } }: Extract<Fruit, { is: 'made' }>) => (
  <Callout tone="warn">
    <p className={styles['said']}>
      {`${spellCount(missed, 'fichier n’a pas pu être lu', 'fichiers n’ont pas pu être lus')} et ne figure${missed > 1 ? 'nt' : ''} pas dans ${filename}\u00a0:`}
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

/** What is being done, what failed, and what came of it. */
export function BackupNews({ backups, ...ways }: { backups: Backups } & Ways) {
  const [cancel] = useCancelJob();
  const { open, failed, refusal, fruit, dismiss } = backups;
  return (
    <div className={styles['news']}>
      {open.map((job) => (
        <News key={job.id}>
          <Running
            name={nameOf(job)}
            step={stepOf(job)}
            about={job.about}
            job={job}
            onCancel={({ id }) => void cancel(id)}
          />
        </News>
      ))}
      {refusal !== undefined && <Refused name="la demande" sentence={refusal} onDismiss={() => dismiss()} />}
      {failed.map((job) => (
        <Failed
          key={job.id}
          name={nameOf(job)}
          job={job}
          {...outcomeOf(job)}
          spell={joinedOf}
          onDismiss={() => dismiss(job.id)}
        />
      ))}
      {fruit?.is === 'stored' && <Stored filename={fruit.filename} {...ways} />}
      {fruit?.is === 'made' && fruit.made.missed > 0 && <Missed {...fruit} />}
    </div>
  );
}
