import { Button } from '@mantine/core';
import type { TodoGroup } from '@vigie/contracts/dashboard';
import { jobsApi } from '../../kit/job/jobs.api';
import { sentenceOf } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import styles from './dashboard.module.css';
import { actionLabel } from './words';

/** Whether the user may update, back up and repair a site. */
export type CanOperate = (siteId: string) => boolean;

export type TodoActions = {
  /** Opens the plan of the updates of these sites. */
  onUpdate: (siteIds: readonly string[]) => void;
  /** Opens the plan of the backups of these sites. */
  onBackup: (siteIds: readonly string[]) => void;
};

/** Takes note of the failures, which then wait for nobody. */
function Acknowledge({ ids }: { ids: readonly string[] }) {
  const [acknowledge, { isLoading, error }] = jobsApi.useAcknowledgeJobsMutation();
  return (
    <>
      <Button
        variant="default"
        className={styles['act'] ?? ''}
        loading={isLoading}
        onClick={() => void acknowledge({ ids })}
      >
        Prendre en compte
      </Button>
      <div className={styles['failure']}>
        <Failure sentence={sentenceOf(error)} />
      </div>
    </>
  );
}

/** The button that solves a line of the list, where one does and the user may. */
type Props = TodoActions & { line: TodoGroup; canOperate: CanOperate };

export function TodoAction({ line, canOperate, onUpdate, onBackup }: Props) {
  // A release that runs beside this one may not send the ids.
  if (line.ids.length === 0) return null;
  if (line.kind === 'jobs_failed') return <Acknowledge ids={line.ids} />;
  const isBackup = line.kind === 'backups_never' || line.kind === 'backups_late';
  if (!isBackup && line.kind !== 'updates') return null;
  const ids = line.ids.filter((id) => canOperate(id));
  if (ids.length === 0) return null;
  return (
    <Button variant="default" className={styles['act'] ?? ''} onClick={() => (isBackup ? onBackup : onUpdate)(ids)}>
      {actionLabel(isBackup ? 'Sauvegarder' : 'Mettre à jour', { count: line.count, ids })}
    </Button>
  );
}
