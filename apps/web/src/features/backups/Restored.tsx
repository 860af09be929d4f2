import { Button } from '@mantine/core';
import type { Backup } from '@vigie/contracts/backups';
import { RestoreResult } from '@vigie/contracts/restores';
import type { JobItem } from '@vigie/contracts/jobs';
import { History } from 'lucide-react';
import { DismissButton, JobLink } from '../../app/JobMessages';
import { useJob } from '../../app/useJob';
import { Callout } from '../../ui/Callout';
import styles from './Backups.module.css';
import { spellCounts, spellHome, spellRestored, spellSkipped } from './restore-words';
import { backOf, type Restoring } from './restoring';
import { nameOf, spellMo } from './words';

type WayBackProps = {
  restored: RestoreResult;
  items: readonly Backup[] | undefined;
  isRestoring: boolean;
  onRestore: (restoring: Restoring) => void;
};

/** Offers to restore the safety backup, while the host still has it. */
function WayBack({ restored, items, isRestoring, onRestore }: WayBackProps) {
  const { filename, size } = restored.safety;
  const safety = items?.find((one) => one.filename === filename && one.location === 'Distant');
  return (
    <>
      <p className={styles['detail']}>
        {'L’état d’avant est gardé sur l’hôte du site\u00a0: '}
        <strong>{filename}</strong>
        {`, ${spellMo(size)}.`}
        {items && !safety && ' Cette sauvegarde n’y est plus.'}
      </p>
      {safety && (
        <div className={styles['ways']}>
          <Button
            variant="default"
            disabled={isRestoring}
            leftSection={<History size={16} aria-hidden />}
            onClick={() => onRestore(backOf(safety, restored))}
          >
            Revenir à l’état d’avant
          </Button>
        </div>
      )}
    </>
  );
}

function Examples({ paths }: { paths: readonly string[] }) {
  return (
    <ul className={styles['missed']}>
      {paths.map((path) => (
        <li key={path}>
          <code>{path}</code>
        </li>
      ))}
    </ul>
  );
}

function Skipped({ skipped, examples }: Pick<RestoreResult, 'skipped' | 'examples'>) {
  if (skipped === 0) return null;
  return (
    <details className={styles['detail']}>
      <summary>{spellSkipped(skipped)}</summary>
      <Examples paths={examples} />
    </details>
  );
}

type Props = Omit<WayBackProps, 'restored'> & { job: JobItem; onDismiss: () => void };

/** The result of the newest restore. */
export function Restored({ job, onDismiss, ...ways }: Props) {
  const { currentData: whole } = useJob(job.id);
  const restored = RestoreResult.safeParse(whole?.result).data;
  if (!restored) return null;
  const facts = [spellCounts(restored), spellHome(restored.http_status)].filter(Boolean);
  const name = nameOf(job);
  return (
    <Callout tone={job.error ? 'danger' : restored.warnings.length === 0 ? 'ok' : 'warn'}>
      <p className={styles['said']}>{job.error?.message ?? spellRestored(restored)}</p>
      {facts.length > 0 && <p className={styles['detail']}>{facts.join(' · ')}</p>}
      {restored.warnings
        .filter((warning) => job.error?.message.includes(warning) !== true)
        .map((warning) => (
          <p key={warning} className={styles['said']}>
            {warning}
          </p>
        ))}
      <Skipped {...restored} />
      <WayBack restored={restored} {...ways} />
      <div className={styles['links']}>
        <JobLink id={job.id} label={`Voir la tâche de ${name}`} />
        <DismissButton name={name} onDismiss={onDismiss} />
      </div>
    </Callout>
  );
}
