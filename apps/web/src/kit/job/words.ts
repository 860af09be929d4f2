import { changeCodes } from '@vigie/contracts/change-codes';
import { isFinal, type JobItem, type JobState } from '@vigie/contracts/jobs';
import { formatNumber, plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';
import { formatDone } from './kinds';

type Counts = NonNullable<JobItem['counts']>;
type StateLabel = { tone: Tone; word: string };
type EndedJob = Pick<JobItem, 'state' | 'error' | 'counts'>;

const states: Record<JobState, StateLabel> = {
  queued: { tone: 'neutral', word: 'En file' },
  running: { tone: 'info', word: 'En cours' },
  succeeded: { tone: 'ok', word: 'Réussie' },
  failed: { tone: 'danger', word: 'Échec' },
  cancelled: { tone: 'neutral', word: 'Annulée' },
  unknown: { tone: 'warn', word: 'Issue inconnue' },
};

export const undoneLabel = { tone: 'warn', word: 'Annulée, site rétabli' } as const;
const brokenLabel = { tone: 'danger', word: 'Échec, site non rétabli' } as const;

type ChangeError = { readonly code?: unknown; readonly still?: unknown };

/** Of a change that hurt its site: whether the site is as it was before. Undefined for other failures. */
export function harmLabel({ code, still }: ChangeError): typeof undoneLabel | typeof brokenLabel | undefined {
  if (code === changeCodes.rolledBack) return still === undefined ? undoneLabel : brokenLabel;
  return code === changeCodes.notRolledBack ? brokenLabel : undefined;
}

/** The change hurt the site, which is as it was before. */
export const isUndone = ({ state, error }: Pick<JobItem, 'state' | 'error'>): boolean =>
  state === 'failed' && error !== null && harmLabel(error) === undoneLabel;

function batchLabel(state: JobState, { succeeded, failed, rolled_back: undone }: Counts): StateLabel {
  if (state !== 'failed' || failed === 0 || failed > undone) return states[state];
  return succeeded === 0 ? undoneLabel : { tone: 'warn', word: 'Terminée' };
}

export function stateLabel(job: EndedJob & Pick<JobItem, 'is_cancelling'>): StateLabel {
  if (job.is_cancelling) return { tone: 'warn', word: 'Annulation…' };
  if (job.counts) return batchLabel(job.state, job.counts);
  return (job.state === 'failed' && job.error && harmLabel(job.error)) || states[job.state];
}

const countDone = ({ total, queued, running }: Counts): number => total - queued - running;

/** "12 sur 23". */
const formatDoneOf = (counts: Counts): string => `${formatNumber(countDone(counts))} sur ${formatNumber(counts.total)}`;

/** How much of a batch, or of a job's current step, is done; undefined when unknown. */
export function doneShare({ counts, progress }: Pick<JobItem, 'counts' | 'progress'>) {
  if (counts) return { done: countDone(counts), total: counts.total };
  if (!progress || progress.done === null || !progress.total) return undefined;
  return { done: progress.done, total: progress.total };
}

const listed = (parts: readonly (readonly [count: number, one: string, many: string])[]): string[] =>
  parts.filter(([count]) => count > 0).map(([count, one, many]) => plural(count, one, many));

const formatProblems = ({ failed, rolled_back: undone, unknown, cancelled }: Counts): string[] =>
  listed([
    [failed - undone, 'échec', 'échecs'],
    [unknown, 'issue inconnue', 'issues inconnues'],
    [undone, 'annulée, site rétabli', 'annulées, sites rétablis'],
    [cancelled, 'annulée', 'annulées'],
  ]);

/** "12 sur 23 · 1 échec" while the batch runs, then "22 mises à jour · 1 échec". */
export function formatCounts({ kind, state, counts }: Pick<JobItem, 'kind' | 'state'> & { counts: Counts }): string {
  const { succeeded } = counts;
  const done = isFinal(state) ? succeeded > 0 && formatDone(kind, succeeded) : formatDoneOf(counts);
  return [done, ...formatProblems(counts)].filter(Boolean).join(' · ');
}

/** How a job or a batch stands, after its name. */
export const formatStanding = (job: JobItem): string =>
  job.counts ? formatCounts({ ...job, counts: job.counts }) : stateLabel(job).word;

/** What came of a batch. `reason` is that of a change that was undone. A change succeeds only if its checks saw no error. */
export function describeBatch(kind: string, counts: Counts, reason: string | undefined): string {
  const { succeeded, failed, rolled_back: undone, unknown, cancelled } = counts;
  const checked = kind.startsWith('changes.') ? ', aucune erreur vue aux contrôles' : '';
  const undoneText = plural(undone, 'annulée, site rétabli', 'annulées, sites rétablis');
  const sentences = [
    succeeded > 0 && `${formatDone(kind, succeeded)}${checked}.`,
    failed > undone && `${plural(failed - undone, 'échec', 'échecs')}.`,
    unknown > 0 && `${plural(unknown, 'issue inconnue', 'issues inconnues')}\u00a0: vérifiez ces sites.`,
    undone > 0 && (reason === undefined ? `${undoneText}.` : `${undoneText}\u00a0: ${reason}`),
    cancelled > 0 && `${plural(cancelled, 'annulée', 'annulées')} sur demande.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** "< 1 s", "12 s", "2 min 05 s", "1 h 04 min". */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return '<\u00a01\u00a0s';
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}\u00a0s`;
  if (minutes < 60) return `${minutes}\u00a0min ${twoDigits(seconds % 60)}\u00a0s`;
  return `${Math.floor(minutes / 60)}\u00a0h ${twoDigits(minutes % 60)}\u00a0min`;
}

const minuteMs = 60_000;

type StartedJob = Pick<JobItem, 'counts' | 'started_at' | 'state'>;

/** "encore 4 min environ", from what is done of a batch; undefined while nothing is. */
export function formatTimeLeft({ counts, started_at: startedAt, state }: StartedJob, now: Date): string | undefined {
  if (!counts || startedAt === null || state !== 'running') return undefined;
  const done = countDone(counts);
  if (done === 0 || done === counts.total) return undefined;
  const leftMs = ((now.getTime() - Date.parse(startedAt)) / done) * (counts.total - done);
  const minutes = Math.round(leftMs / minuteMs);
  if (minutes < 1) return 'encore moins d’une minute';
  if (minutes < 60) return `encore ${minutes}\u00a0min environ`;
  return `encore ${Math.floor(minutes / 60)}\u00a0h ${twoDigits(minutes % 60)} environ`;
}
