import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { plural } from '../../ui/plural';

type Asked = Pick<JobItem, 'kind' | 'state' | 'counts'>;

/** The label of the link to the job that succeeded in its place. */
export const redone = 'Relancée avec succès';

const failuresOf = ({ failed, unknown }: NonNullable<JobItem['counts']>) => failed + unknown;

/** A batch retries its failures, and its cancelled jobs only when none failed. */
export const countAgain = ({ counts }: Pick<JobItem, 'counts'>): number =>
  counts ? failuresOf(counts) || counts.cancelled : 1;

/** False for a batch whose failed jobs all belong to somebody else. */
export const canRetry = ({ state, redone_by: redoneBy, counts }: Pick<JobItem, 'state' | 'redone_by' | 'counts'>) =>
  isFinal(state) && state !== 'succeeded' && redoneBy === null && countAgain({ counts }) > 0;

export function retryWord({ counts }: Pick<JobItem, 'counts'>): string {
  if (!counts) return 'Relancer';
  return failuresOf(counts) > 0 ? 'Relancer les échecs' : 'Relancer les annulées';
}

/** A restore overwrites the changes made on the site since, so its word is typed each time. */
export const needsWord = ({ kind, counts }: Asked) => kind === 'backups.restore' && !counts;

/** A single click must not start many jobs. */
export const needsAnswer = (job: Asked) => needsWord(job) || countAgain(job) > 1;

/** Says which jobs of a batch are retried and which are not. */
export function spellAgain(counts: NonNullable<JobItem['counts']>): string[] {
  const failures = failuresOf(counts);
  const { cancelled } = counts;
  const done = 'Ce qui a été relancé avec succès depuis est laissé de côté.';
  if (failures === 0)
    return [`${plural(cancelled, 'tâche annulée est relancée', 'tâches annulées sont relancées')}.`, done];
  const begun = `${plural(failures, 'tâche qui n’a pas réussi est relancée', 'tâches qui n’ont pas réussi sont relancées')}.`;
  if (cancelled === 0) return [begun, done];
  return [begun, `${plural(cancelled, 'tâche annulée ne l’est pas', 'tâches annulées ne le sont pas')}.`, done];
}
