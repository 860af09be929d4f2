import type { JobItem, JobState } from '@vigie/contracts/jobs';
import { plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';
import { batchNoun } from './kinds';

const states: Record<JobState, { tone: Tone; word: string }> = {
  queued: { tone: 'neutral', word: 'En file' },
  running: { tone: 'info', word: 'En cours' },
  succeeded: { tone: 'ok', word: 'Réussie' },
  failed: { tone: 'danger', word: 'Échec' },
  cancelled: { tone: 'neutral', word: 'Annulée' },
  unknown: { tone: 'warn', word: 'Issue inconnue' },
};

export const stateLabel = ({ state, is_cancelling: isCancelling }: Pick<JobItem, 'state' | 'is_cancelling'>) =>
  isCancelling ? { tone: 'warn' as const, word: 'Annulation…' } : states[state];

/** The counts of a batch, failures first. */
export function formatCounts({
  kind,
  counts,
}: Pick<JobItem, 'kind'> & { counts: NonNullable<JobItem['counts']> }): string {
  const [one, many] = batchNoun(kind);
  const parts = [
    [counts.failed, 'échec', 'échecs'],
    [counts.unknown, 'issue inconnue', 'issues inconnues'],
    [counts.cancelled, 'annulée', 'annulées'],
    [counts.running, 'en cours', 'en cours'],
    [counts.queued, 'en file', 'en file'],
  ] as const;
  const counted = parts.filter(([count]) => count > 0).map(([count, word, words]) => plural(count, word, words));
  return [plural(counts.total, one, many), ...counted].join(' · ');
}

/** "2 en cours · 1 en file". */
export function formatOpenCounts(jobs: readonly Pick<JobItem, 'state'>[]): string {
  const count = (state: JobState) => jobs.filter((job) => job.state === state).length;
  const parts = [
    [count('running'), 'en cours'],
    [count('queued'), 'en file'],
  ] as const;
  return parts
    .filter(([many]) => many > 0)
    .map(([many, word]) => `${many}\u00a0${word}`)
    .join(' · ');
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
