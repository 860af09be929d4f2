const short = new Intl.RelativeTimeFormat('fr-FR', { style: 'short' });
const long = new Intl.RelativeTimeFormat('fr-FR', { style: 'long' });
const absolute = new Intl.DateTimeFormat('fr-FR', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  { unit: 'minute', ms: minute, below: 59.5 * minute, words: short },
  { unit: 'hour', ms: hour, below: 23.5 * hour, words: short },
  { unit: 'day', ms: day, below: 30 * day, words: long },
  { unit: 'month', ms: 30.44 * day, below: 350 * day, words: long },
  { unit: 'year', ms: 365.25 * day, below: Number.POSITIVE_INFINITY, words: long },
] as const;

/** "il y a 3 min"; a date slightly in the future is now, because the clocks of server and browser differ. */
export function formatAgo(date: Date, now: Date): string {
  const age = Math.max(0, now.getTime() - date.getTime());
  if (age < minute) return 'à l’instant';
  const step = steps.find(({ below }) => age < below) ?? steps[4];
  return step.words.format(-Math.round(age / step.ms), step.unit);
}

/** "16 min", "3 h", "2 jours": after "depuis", which "il y a" cannot follow. */
export function formatAge(date: Date, now: Date): string {
  const age = Math.max(0, now.getTime() - date.getTime());
  if (age < minute) return 'moins d’une minute';
  const { ms, unit, words } = steps.find(({ below }) => age < below) ?? steps[4];
  const unitDisplay = words === short ? 'short' : 'long';
  return new Intl.NumberFormat('fr-FR', { style: 'unit', unit, unitDisplay }).format(Math.round(age / ms));
}

const second = 1_000;

/** "il y a 12 s": for data that are refreshed every minute. */
export function formatSecondsAgo(date: Date, now: Date): string {
  const age = now.getTime() - date.getTime();
  if (age < 5 * second || age >= minute) return formatAgo(date, now);
  return short.format(-Math.floor(age / second), 'second');
}

/** Includes the time zone, because copied text may be read in another one. */
export const formatDate = (date: Date): string => absolute.format(date);

/** 872 s → "14 min 32 s", with the spaces of French typography. */
export function formatWait(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = `${seconds % 60}\u00a0s`;
  return minutes === 0 ? rest : `${minutes}\u00a0min ${rest}`;
}

const seconds = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

/** "84 ms", "1,2 s". */
export const formatMs = (ms: number): string =>
  ms < 1_000 ? `${ms}\u00a0ms` : `${seconds.format(ms / second)}\u00a0s`;
