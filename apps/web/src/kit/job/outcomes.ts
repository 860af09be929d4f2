import type { JobItem } from '@vigie/contracts/jobs';
import { toast } from '../../ui/toasts';
import { JobEndTracker } from './JobEndTracker';
import { jobName } from './kinds';
import { formatStanding, stateLabel } from './words';

const key = 'jobs_started';
const max = 50;

/** Jobs that this tab started and whose end it has not reported yet. Session storage survives a reload and is not shared by tabs. */
function readStarted(): string[] {
  try {
    return (sessionStorage.getItem(key) ?? '').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

const started = new Set(readStarted());
export const endTracker = new JobEndTracker(started);

function writeStarted(): void {
  try {
    sessionStorage.setItem(key, [...started].slice(-max).join(' '));
  } catch {
    // Without storage, a reload loses the list.
  }
}

export function markStarted(id: string): void {
  started.add(id);
  endTracker.add(id);
  writeStarted();
}

/** The screen has shown the result itself. */
export function markReported(id: string): void {
  if (started.delete(id)) writeStarted();
}

const watched = new Map<string, number>();

/** While a component shows the job, its end needs no toast. */
export function watchJob(id: string): () => void {
  watched.set(id, (watched.get(id) ?? 0) + 1);
  return () => void watched.set(id, (watched.get(id) ?? 1) - 1);
}

const isWatched = (id: string) => !document.hidden && (watched.get(id) ?? 0) > 0;

function toastOutcome(job: JobItem): void {
  const { tone, word } = stateLabel(job);
  const sentence = job.counts ? `${jobName(job)}\u00a0: ${formatStanding(job)}` : `${word}\u00a0: ${jobName(job)}`;
  if (tone === 'ok') return toast.success(sentence);
  if (tone === 'neutral') return toast.info(sentence);
  const withReason = job.error ? `${sentence} — ${job.error.message}` : sentence;
  return tone === 'warn' ? toast.warning(withReason) : toast.error(withReason, `${sentence}\nTâche ${job.id}`);
}

/** Shows a toast when the job was started in this tab and is not on the screen. */
export function reportOutcome(job: JobItem): void {
  if (!started.delete(job.id)) return;
  writeStarted();
  if (!isWatched(job.id)) toastOutcome(job);
}
