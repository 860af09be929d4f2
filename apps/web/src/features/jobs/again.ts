import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { plural } from '../../ui/plural';

type Asked = Pick<JobItem, 'kind' | 'state' | 'counts'>;

/** What leads to the one that did it. */
export const redone = 'Relancée avec succès';

const failuresOf = ({ failed, unknown }: NonNullable<JobItem['counts']>) => failed + unknown;

/** How many are begun at most: of a batch its failures, and what was called off only where nothing failed. */
export const countAgain = ({ counts }: Pick<JobItem, 'counts'>): number =>
  counts ? failuresOf(counts) || counts.cancelled : 1;

/** A batch may have failed in what is somebody else's alone. */
export const canRetry = ({ state, redone_by: redoneBy, counts }: Pick<JobItem, 'state' | 'redone_by' | 'counts'>) =>
  isFinal(state) && state !== 'succeeded' && redoneBy === null && countAgain({ counts }) > 0;

export function retryWord({ counts }: Pick<JobItem, 'counts'>): string {
  if (!counts) return 'Relancer';
  return failuresOf(counts) > 0 ? 'Relancer les échecs' : 'Relancer les annulées';
}

/** A site becomes what an archive holds, over whatever was done there since: the word is typed each time. */
export const needsWord = ({ kind, counts }: Asked) => kind === 'backups.restore' && !counts;

/** Nobody means by one click what a whole batch does. */
export const needsAnswer = (job: Asked) => needsWord(job) || countAgain(job) > 1;

/** Of a batch: what is begun, and what is not. */
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
