/** The words of incidents of any kind, in the web app and in mails: severities, times, causes, reasons, opinions. */
import type { IncidentItem, Opinion, OpinionAnswer, Severity, Verdict } from './incidents';

const digits = new Intl.NumberFormat('fr-FR');
const minuteMs = 60_000;

/** "0 site", "1 site", "2 sites", with a no-break space. */
export const count = (number: number, one: string, many: string): string =>
  `${digits.format(number)}\u00a0${number < 2 ? one : many}`;

export const countSites = (number: number): string => count(number, 'site', 'sites');
export const countIncidents = (number: number): string => count(number, 'incident', 'incidents');

const severityWords: Readonly<Record<Severity, string>> = {
  critical: 'Critique',
  warning: 'Attention',
  info: 'Info',
};

const resolutionWords: Readonly<Record<NonNullable<IncidentItem['resolution']>, string>> = {
  recovered: 'Rétabli',
  closed: 'Clos',
  merged: 'Rattaché à un autre',
  removed: 'Sans objet',
};

export const severityWord = (severity: Severity): string => severityWords[severity];

/** How bad an open incident is, and how a resolved one ended. */
export function stateWord({ state, severity, resolution }: Pick<IncidentItem, 'state' | 'severity' | 'resolution'>) {
  return state === 'open' ? severityWord(severity) : resolutionWords[resolution ?? 'recovered'];
}

/** "moins d’une minute", "12 min", "3 h", "3 h 05", "2 j 4 h". */
export function durationWords(ms: number): string {
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 1) return 'moins d’une minute';
  if (minutes < 60) return `${minutes}\u00a0min`;
  const hours = Math.floor(minutes / 60);
  const more = minutes % 60 === 0 ? '' : `\u00a0${String(minutes % 60).padStart(2, '0')}`;
  if (hours < 24) return `${hours}\u00a0h${more}`;
  const rest = hours % 24 === 0 ? '' : ` ${hours % 24}\u00a0h`;
  return `${digits.format(Math.floor(hours / 24))}\u00a0j${rest}`;
}

type Times = Pick<IncidentItem, 'observed_at' | 'resolved_at'>;

/** How long it has lasted since its first failed check. */
export const incidentDuration = ({ observed_at: from, resolved_at: to }: Times, now: Date): string =>
  durationWords((to === null ? now.getTime() : Date.parse(to)) - Date.parse(from));

type Cause = IncidentItem['cause'];

export const capitalize = (text: string): string => `${text.charAt(0).toLocaleUpperCase('fr')}${text.slice(1)}`;

/** A sentence that goes on another one; an abbreviation such as HTTP stays as it is. */
export const continued = (text: string): string =>
  /^\p{Lu}\p{Lu}/u.test(text) ? text : `${text.charAt(0).toLocaleLowerCase('fr')}${text.slice(1)}`;

/** A cause that the reader may not know, or that was deleted, is only "Un serveur" or "Un site". */
export const nameInText = ({ id, name }: Cause): string => (id === null ? continued(name) : name);

/** "le serveur web-03". */
export const serverName = (cause: Cause): string =>
  cause.id === null ? nameInText(cause) : `le serveur ${cause.name}`;

const verdicts: Readonly<Record<Verdict, readonly [now: string, then: string]>> = {
  answers_there: ['Répond chez lui, pas d’ici.', 'Répondait chez lui, pas d’ici.'],
  fails_there: ['Ne répond pas non plus chez lui.', 'Ne répondait pas non plus chez lui.'],
  fails_everywhere: ['Ne répond pour personne', 'Ne répondait pour personne'],
  unknown: ['Son serveur n’a pas pu être interrogé.', 'Son serveur n’a pas pu être interrogé.'],
};

type VerdictOptions = { elsewhere?: string | null | undefined; isOver?: boolean };

/** What the second opinion says. `elsewhere` is the name of the third place. */
export function verdictSentence(verdict: Verdict, { elsewhere, isOver = false }: VerdictOptions = {}): string {
  const sentence = verdicts[verdict][isOver ? 1 : 0];
  if (verdict !== 'fails_everywhere') return sentence;
  return `${sentence}\u00a0: ni d’ici, ni chez lui, ni ${elsewhere ? `depuis ${elsewhere}` : 'd’ailleurs'}.`;
}

function answerWords(place: string, { code, ms, error }: OpinionAnswer): string {
  const why = error === null ? '' : ` (${continued(error).replace(/\.$/, '')})`;
  if (code === null) return `${place}\u00a0: impossible de lui demander${why}.`;
  if (code === 0) return `${place}\u00a0: pas de réponse${why}.`;
  return `${place}\u00a0: HTTP\u00a0${code}${ms === null ? '' : ` en ${digits.format(ms)}\u00a0ms`}.`;
}

/** What each place answered. */
export const opinionDetails = ({ own, other }: Opinion): string =>
  [
    answerWords('Depuis son serveur', own),
    ...(other ? [answerWords(`Depuis ${other.server_name ?? 'un autre serveur'}`, other)] : []),
  ].join(' ');

/** "jusqu’à 14:05", "jusqu’au 3 mars à 14:05". */
export function muteWords(until: string, from: Date, timeZone?: string): string {
  const isSameDay = dateWords(until, timeZone) === dateWords(from.toISOString(), timeZone);
  return isSameDay ? `jusqu’à ${hourWords(until, timeZone)}` : `jusqu’au ${momentWords(until, timeZone)}`;
}

const format = (options: Intl.DateTimeFormatOptions, at: string, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat('fr-FR', { ...options, ...(timeZone !== undefined && { timeZone }) }).format(new Date(at));

const hour = { hour: '2-digit', minute: '2-digit' } as const;
const hourWords = (at: string, timeZone?: string) => format(hour, at, timeZone);
export const dateWords = (at: string, timeZone?: string) =>
  format({ day: 'numeric', month: 'long', year: 'numeric' }, at, timeZone);

/** "3 mars à 14:05". */
export const momentWords = (at: string, timeZone?: string): string =>
  `${format({ day: 'numeric', month: 'short' }, at, timeZone).replace(' ', '\u00a0')} à ${hourWords(at, timeZone)}`;
