import { Stack } from '@mantine/core';
import type { JobItem } from '@vigie/contracts/jobs';
import { restoreWord } from '@vigie/contracts/restores';
import facts from '../../ui/About.module.css';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import type { CallState } from '../../kit/query/failures';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { plural } from '../../ui/plural';
import { TimeAgo } from '../../ui/TimeAgo';
import { ConfirmWordForm } from '../../kit/dialog/ConfirmWordForm';
import { countRetries, needsTypedWord, retryLabel, describeRetry } from './retry';
import { jobName } from '../../kit/job/kinds';

type Props = {
  job: JobItem;
  call: CallState;
  onConfirm: () => void;
  onCancel: () => void;
};

/** A repeated restore asks for the word again, because it overwrites the changes made on the site since. */
function RetryRestoreDialog({ job, onCancel, ...answer }: Props) {
  const { site_name: siteName, about, actor_name: actor, created_at: at } = job;
  return (
    <FormDialog title={`Relancer la restauration de ${siteName ?? 'ce site'}\u202f?`} onClose={onCancel}>
      <ConfirmWordForm word={restoreWord} action="Relancer" onCancel={onCancel} {...answer}>
        <dl className={facts['about']}>
          <dt>Archive</dt>
          <dd className={facts['file']}>{about}</dd>
          <dt>Demandée</dt>
          <dd>
            <TimeAgo at={at} />
            {actor !== null && ` par ${actor}`}
          </dd>
        </dl>
        <Stack gap={8}>
          <p>
            La même restauration recommence&#160;: l’archive remplace de nouveau le contenu du site, y compris ce qui y
            a été fait depuis.
          </p>
          <p>Vigie sauvegarde d’abord le site dans son état actuel&#160;: vous pourrez y revenir.</p>
          <p>Pour une autre archive ou d’autres choix, restaurez depuis les sauvegardes du site.</p>
        </Stack>
      </ConfirmWordForm>
    </FormDialog>
  );
}

export function RetryDialog(props: Props) {
  const { job, ...answer } = props;
  if (needsTypedWord(job) || !job.counts) return <RetryRestoreDialog {...props} />;
  const title = `Relancer ${plural(countRetries(job), 'tâche', 'tâches')}\u202f?`;
  return (
    <ConfirmDialog title={title} action={retryLabel(job)} color="accent" {...answer}>
      <p>
        <strong>{jobName(job)}</strong>
      </p>
      <p>{describeRetry(job.counts).join(' ')}</p>
    </ConfirmDialog>
  );
}
