import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { plural } from '../../ui/plural';

type RetryCandidate = Pick<JobItem, 'kind' | 'state' | 'counts'>;

/** The label of the link to the job that succeeded in its place. */
export const redoneLabel = 'Réussie depuis';

const countFailures = ({ failed, unknown }: NonNullable<JobItem['counts']>) => failed + unknown;

/** A batch retries its failures, and its cancelled jobs only when none failed. */
export const countRetries = ({ counts }: Pick<JobItem, 'counts'>): number =>
  counts ? countFailures(counts) || counts.cancelled : 1;

/** False for a batch whose failed jobs all belong to somebody else. */
export const canRetry = ({
  state,
  redone_by: redoneBy,
  counts,
  may_act: mayAct,
}: Pick<JobItem, 'state' | 'redone_by' | 'counts' | 'may_act'>) =>
  mayAct && isFinal(state) && state !== 'succeeded' && redoneBy === null && countRetries({ counts }) > 0;

export function retryLabel({ counts }: Pick<JobItem, 'counts'>): string {
  if (!counts) return 'Relancer';
  return countFailures(counts) > 0 ? 'Relancer les échecs' : 'Relancer les annulées';
}

/** A restore overwrites the changes made on the site since, so its word is typed each time. */
export const needsTypedWord = ({ kind, counts }: RetryCandidate) => kind === 'backups.restore' && !counts;

/** A single click must not start many jobs. */
export const needsConfirmation = (job: RetryCandidate) => needsTypedWord(job) || countRetries(job) > 1;

/** Says which jobs of a batch are retried and which are not. */
export function describeRetry(counts: NonNullable<JobItem['counts']>): string[] {
  const failures = countFailures(counts);
  const { cancelled } = counts;
  const skipped = 'Les tâches déjà relancées avec succès ne recommencent pas.';
  if (failures === 0)
    return [`${plural(cancelled, 'tâche annulée est relancée', 'tâches annulées sont relancées')}.`, skipped];
  const retried = `${plural(failures, 'tâche qui n’a pas réussi est relancée', 'tâches qui n’ont pas réussi sont relancées')}.`;
  if (cancelled === 0) return [retried, skipped];
  return [retried, `${plural(cancelled, 'tâche annulée ne l’est pas', 'tâches annulées ne le sont pas')}.`, skipped];
}
