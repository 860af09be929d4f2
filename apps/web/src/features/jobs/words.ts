import type { JobItem, JobState } from '@vigie/contracts/jobs';
import { plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';
import { countedIn } from './kinds';

const states: Record<JobState, { tone: Tone; word: string }> = {
  queued: { tone: 'neutral', word: 'En file' },
  running: { tone: 'info', word: 'En cours' },
  succeeded: { tone: 'ok', word: 'Réussie' },
  failed: { tone: 'danger', word: 'Échec' },
  cancelled: { tone: 'neutral', word: 'Annulée' },
  unknown: { tone: 'warn', word: 'Issue inconnue' },
};

export const stateOf = ({ state, is_cancelling: isCancelling }: Pick<JobItem, 'state' | 'is_cancelling'>) =>
  isCancelling ? { tone: 'warn' as const, word: 'Annulation…' } : states[state];

/** The counts of a batch, failures first. */
export function spellCounts({
  kind,
  counts,
}: Pick<JobItem, 'kind'> & { counts: NonNullable<JobItem['counts']> }): string {
  const [one, many] = countedIn(kind);
  const parts = [
    [counts.failed, 'échec', 'échecs'],
    [counts.unknown, 'issue inconnue', 'issues inconnues'],
    [counts.cancelled, 'annulée', 'annulées'],
    [counts.running, 'en cours', 'en cours'],
    [counts.queued, 'en file', 'en file'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word, words]) => plural(count, word, words));
  return [plural(counts.total, one, many), ...said].join(' · ');
}

/** "2 en cours · 1 en file". */
export function spellOpen(jobs: readonly Pick<JobItem, 'state'>[]): string {
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

const two = (value: number) => String(value).padStart(2, '0');

/** "< 1 s", "12 s", "2 min 05 s", "1 h 04 min". */
export function spellDuration(ms: number): string {
  if (ms < 1_000) return '<\u00a01\u00a0s';
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}\u00a0s`;
  if (minutes < 60) return `${minutes}\u00a0min ${two(seconds % 60)}\u00a0s`;
  return `${Math.floor(minutes / 60)}\u00a0h ${two(minutes % 60)}\u00a0min`;
}
