/** What is said of an incident, in the web app and in mails. */
import { withDe } from './french';
import type { Evidence, IncidentItem, Opinion, OpinionAnswer, Severity, Verdict } from './incidents';

const digits = new Intl.NumberFormat('fr-FR');
const dayMs = 86_400_000;
const minuteMs = 60_000;

/** "0 site", "1 site", "2 sites", with a no-break space. */
const count = (number: number, one: string, many: string): string =>
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
  removed: 'Retiré de Vigie',
};

export const severityWord = (severity: Severity): string => severityWords[severity];

/** How bad an open incident is, and how a resolved one ended. */
export function stateWord({ state, severity, resolution }: Pick<IncidentItem, 'state' | 'severity' | 'resolution'>) {
  return state === 'open' ? severityWord(severity) : resolutionWords[resolution ?? 'recovered'];
}

/** "moins d’une minute", "12 min", "3 h 05", "2 j 4 h". */
export function durationWords(ms: number): string {
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 1) return 'moins d’une minute';
  if (minutes < 60) return `${minutes}\u00a0min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}\u00a0h\u00a0${String(minutes % 60).padStart(2, '0')}`;
  const rest = hours % 24 === 0 ? '' : ` ${hours % 24}\u00a0h`;
  return `${digits.format(Math.floor(hours / 24))}\u00a0j${rest}`;
}

type Times = Pick<IncidentItem, 'observed_at' | 'resolved_at'>;

/** How long it has lasted since its first failed check. */
export const incidentDuration = ({ observed_at: from, resolved_at: to }: Times, now: Date): string =>
  durationWords((to === null ? now.getTime() : Date.parse(to)) - Date.parse(from));

type Titled = Times &
  Pick<IncidentItem, 'kind' | 'state' | 'cause' | 'is_server_down' | 'sites' | 'failing' | 'evidence'>;

/** "boutique.fr ne répond plus"; once it is resolved, "boutique.fr ne répondait plus". */
export function incidentTitle(incident: Titled, now: Date): string {
  const { kind, state } = incident;
  if (kind === 'certificate') return certificateTitle(incident, now);
  if (kind === 'network') return state === 'open' ? 'Vigie est coupée du réseau' : 'Vigie était coupée du réseau';
  if (kind === 'unwatched') return `Vigie n’a pas veillé pendant ${incidentDuration(incident, now)}`;
  return outageTitle(incident);
}

/** The title after a colon. A name keeps its capital: only an article or "Un site" loses it. */
export function titleInSentence(incident: Titled, now: Date): string {
  const { kind, cause } = incident;
  const title = incidentTitle(incident, now);
  const isAboutVigie = kind === 'network' || kind === 'unwatched';
  const startsWithName = isAboutVigie || (kind === 'outage' && cause.kind === 'site' && cause.id !== null);
  return startsWithName ? title : continued(title);
}

/** How it ended: "boutique.fr répond de nouveau". */
export function endTitle(incident: Titled & Pick<IncidentItem, 'resolution'>, now: Date): string {
  const { kind, cause, is_server_down: isServerDown, resolution } = incident;
  if (resolution === 'closed') return `Incident clos\u00a0: ${titleInSentence(incident, now)}`;
  if (kind === 'network') return 'Vigie a retrouvé le réseau';
  if (kind === 'unwatched')
    return `Vigie veille de nouveau, après ${incidentDuration(incident, now)} sans rien vérifier`;
  if (kind === 'certificate') return `Le certificat ${withDe(nameInText(cause))} est renouvelé`;
  if (cause.kind === 'site') return `${cause.name} répond de nouveau`;
  if (isServerDown) return `${capitalize(serverName(cause))} répond de nouveau`;
  return `${sitesOf(incident)} ${sitesToName(incident) > 1 ? 'répondent' : 'répond'} de nouveau`;
}

type Cause = IncidentItem['cause'];

const capitalize = (text: string): string => `${text.charAt(0).toLocaleUpperCase('fr')}${text.slice(1)}`;

/** A sentence that goes on another one; an abbreviation such as HTTP stays as it is. */
export const continued = (text: string): string =>
  /^\p{Lu}\p{Lu}/u.test(text) ? text : `${text.charAt(0).toLocaleLowerCase('fr')}${text.slice(1)}`;

/** A cause that the reader may not know, or that was deleted, is only "Un serveur" or "Un site". */
const nameInText = ({ id, name }: Cause): string => (id === null ? continued(name) : name);

/** "le serveur web-03". */
export const serverName = (cause: Cause): string =>
  cause.id === null ? nameInText(cause) : `le serveur ${cause.name}`;

/** Of an open incident, how many sites still fail. */
const sitesToName = ({ state, failing, sites }: Titled): number => (state === 'open' && failing > 0 ? failing : sites);

function outageTitle(incident: Titled): string {
  const { state, cause, is_server_down: isServerDown } = incident;
  const number = sitesToName(incident);
  const [one, many] =
    state === 'open' ? ['ne répond plus', 'ne répondent plus'] : ['ne répondait plus', 'ne répondaient plus'];
  if (cause.kind === 'site') return `${cause.name} ${one}`;
  if (isServerDown) return `${capitalize(serverName(cause))} ${one}${number > 0 ? ` (${countSites(number)})` : ''}`;
  return `${sitesOf(incident)} ${number > 1 ? many : one}`;
}

/** "12 sites de web-03". */
const sitesOf = (incident: Titled): string =>
  `${countSites(sitesToName(incident))}${incident.cause.kind === 'server' ? ` ${withDe(nameInText(incident.cause))}` : ''}`;

function certificateTitle(incident: Titled, now: Date): string {
  const { state, cause, evidence, resolved_at: resolvedAt } = incident;
  const name = `Le certificat ${withDe(nameInText(cause))}`;
  if (state === 'open') return `${name} ${expiryWords(msLeft(evidence, now))}`;
  const isExpired = (msLeft(evidence, resolvedAt === null ? now : new Date(resolvedAt)) ?? 1) <= 0;
  return `${name} ${isExpired ? 'avait expiré' : 'allait expirer'}`;
}

const msLeft = (evidence: Evidence | null, at: Date): number | undefined =>
  evidence?.ends_at ? Date.parse(evidence.ends_at) - at.getTime() : undefined;

/** "expire dans 6 jours". */
function expiryWords(left: number | undefined): string {
  if (left === undefined) return 'expire bientôt';
  if (left <= 0) return 'a expiré';
  return left < dayMs
    ? 'expire dans moins de 24\u00a0heures'
    : `expire dans ${count(Math.floor(left / dayMs), 'jour', 'jours')}`;
}

/** "HTTP 502", the end of a certificate and who issued it, or the sentence that the check stored. */
export function reasonOf(evidence: Evidence | null, timeZone?: string): string | undefined {
  if (!evidence) return undefined;
  const { code, reason, ends_at: endsAt } = evidence;
  if (code !== null && code >= 400) return `HTTP\u00a0${code}`;
  if (endsAt !== null) {
    const issuer = reason === null || reason === '' ? '' : ` (émis par ${reason})`;
    return `Certificat valable jusqu’au ${dateWords(endsAt, timeZone)}${issuer}`;
  }
  if (reason !== null && reason !== '') return reason;
  if (code === null) return undefined;
  return code === 0 ? 'Pas de réponse' : `HTTP\u00a0${code}`;
}

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
const dateWords = (at: string, timeZone?: string) =>
  format({ day: 'numeric', month: 'long', year: 'numeric' }, at, timeZone);

/** "3 mars à 14:05". */
export const momentWords = (at: string, timeZone?: string): string =>
  `${format({ day: 'numeric', month: 'short' }, at, timeZone).replace(' ', '\u00a0')} à ${hourWords(at, timeZone)}`;
