import type { AlertMessage } from '@vigie/contracts/alerts';
import type { AlertKind } from '@vigie/contracts/channels';
import { endSentence } from '@vigie/contracts/french';
import { eventSentence } from '@vigie/contracts/incident-story';
import { endTitle, hasDuration, incidentTitle, reasonOf, titleInSentence } from '@vigie/contracts/incident-kinds';
import {
  continued,
  countIncidents,
  countSites,
  incidentDuration,
  momentWords,
  verdictSentence,
} from '@vigie/contracts/incident-words';
import type { Incident, IncidentItem } from '@vigie/contracts/incidents';

/** How many sites and how many tasks of Vigie a message names. */
const [maxNamed, maxTasks] = [5, 3];

type MessageOptions = { kind: AlertKind; timeZone: string; now: Date };

/**
 * What is said of an incident, as the owner of the channel may know it, in the time of the channel. The link is a path: the
 * address of Vigie stands before it when the message leaves.
 */
export function incidentMessage(incident: Incident, { kind, timeZone, now }: MessageOptions): AlertMessage {
  const isOver = kind === 'resolved';
  const { events: _, subjects: __, can_act: ___, merged_into: ____, ...item } = incident;
  const shown = withVisibleCause(incident);
  return {
    kind,
    severity: incident.severity,
    title: titleOf(shown, kind, now),
    lines: isOver ? endLines(shown, timeZone, now) : openLines(shown, timeZone, now),
    link: `/incidents/${incident.id}`,
    link_label: !isOver && isOneSiteDown(incident) ? 'Voir l’incident et réparer' : 'Voir l’incident',
    at: now.toISOString(),
    incident: item,
  };
}

/** Of a server that the reader may not know, whose sites they know only one of, the message is about that site. */
function withVisibleCause(incident: Incident): Incident {
  const { cause, subjects } = incident;
  if (cause.kind !== 'server' || cause.id !== null) return incident;
  const sites = subjects.filter(({ kind }) => kind === 'site');
  const [site] = sites;
  if (!site || site.id === null || sites.some(({ id }) => id !== site.id)) return incident;
  return { ...incident, cause: { kind: 'site', id: site.id, name: site.name }, is_server_down: false };
}

const isOneSiteDown = ({ kind, cause }: Incident) => kind === 'outage' && cause.kind === 'site';

function titleOf(incident: Incident, kind: AlertKind, now: Date): string {
  if (kind === 'resolved') return endTitle(incident, now);
  return kind === 'reopened' ? `De nouveau\u00a0: ${titleInSentence(incident, now)}` : incidentTitle(incident, now);
}

const openLines = (incident: Incident, timeZone: string, now: Date): string[] => [
  ...whyLines(incident, timeZone),
  ...sinceLine(incident, timeZone, now),
  ...opinionLine(incident),
  ...subjectLine(incident),
  ...taskLines(incident, timeZone),
];

const sinceLine = (incident: Incident, timeZone: string, now: Date): string[] =>
  hasDuration(incident)
    ? [`Depuis le ${momentWords(incident.observed_at, timeZone)} (${incidentDuration(incident, now)}).`]
    : [];

function whyLines(incident: Incident, timeZone: string): string[] {
  const reason = reasonOf(incident, timeZone);
  return reason === undefined ? [] : [endSentence(reason)];
}

/** Of a server, one of its sites was asked for: "Second avis (a.fr) : ne répond pas non plus chez lui." */
function opinionLine({ cause, subjects }: Incident): string[] {
  const asked = subjects.find(({ opinion }) => opinion !== null);
  if (!asked?.opinion) return [];
  const { verdict, other } = asked.opinion;
  const sentence = verdictSentence(verdict, { elsewhere: other?.server_name });
  return [cause.kind === 'site' ? sentence : `Second avis (${asked.name})\u00a0: ${continued(sentence)}`];
}

/** "Touché : a.fr.", "Touchés : a.fr, b.fr et 7 sites de plus." */
function subjectLine({ subjects, cause, failing }: Incident): string[] {
  if (cause.kind === 'site') return [];
  const sites = subjects.filter(({ kind, until }) => kind === 'site' && until === null);
  if (sites.length === 0) return [];
  const names = sites.slice(0, maxNamed).map(({ name }) => name);
  const others = Math.max(failing, sites.length) - names.length;
  const rest = others > 0 ? ` et ${countSites(others)} de plus` : '';
  const word = names.length + others > 1 ? 'Touchés' : 'Touché';
  return [`${word}\u00a0: ${names.join(', ')}${rest}.`];
}

/** What Vigie did to the site shortly before or since may be the reason. */
const taskLines = (incident: Incident, timeZone: string): string[] =>
  incident.events
    .filter(({ kind }) => kind === 'task')
    .slice(-maxTasks)
    .map((event) => `Le ${momentWords(event.at, timeZone)}\u00a0: ${eventSentence(event, incident, timeZone)}`);

function endLines(incident: Incident, timeZone: string, now: Date): string[] {
  const { observed_at: from, resolved_at: to, resolution } = incident;
  const closed = incident.events.findLast(({ kind }) => kind === 'closed');
  const closedLine = resolution === 'closed' && closed ? [eventSentence(closed, incident, timeZone)] : [];
  if (!hasDuration(incident)) return closedLine;
  return [
    ...closedLine,
    `Du ${momentWords(from, timeZone)} au ${momentWords(to ?? now.toISOString(), timeZone)}\u00a0: ${incidentDuration(incident, now)}.`,
    ...taskLines(incident, timeZone),
  ];
}

export const testMessage = (now: Date): AlertMessage => ({
  kind: 'test',
  severity: null,
  title: 'Message de test de Vigie',
  lines: ['Ce canal fonctionne\u00a0: les alertes de Vigie arriveront ici.'],
  link: '/notifications?tab=channels',
  link_label: 'Voir les canaux',
  at: now.toISOString(),
  incident: null,
});

export type Day = { open: IncidentItem[]; openTotal: number; ended: IncidentItem[]; endedTotal: number; sites: number };

const maxDigestLines = 20;

/** The summary of the last 24 hours. */
export function digestMessage(
  { open, openTotal, ended, endedTotal, sites }: Day,
  { timeZone, now }: Omit<MessageOptions, 'kind'>,
): AlertMessage {
  const date = dayWords(now, timeZone);
  const total = openTotal + endedTotal;
  return {
    kind: 'digest',
    severity: null,
    title: `Bulletin du ${date}\u00a0: ${summaryOf(openTotal, endedTotal)}`,
    lines: [
      ...firstOf(open, openTotal, (incident) => openSentence(incident, now)),
      ...firstOf(ended, endedTotal, (incident) => endedSentence(incident, now)),
      ...(total === 0 ? ['Aucun incident depuis 24 heures.'] : []),
      `Vigie surveille ${countSites(sites)}.`,
    ],
    link: '/incidents',
    link_label: 'Voir les incidents',
    at: now.toISOString(),
    incident: null,
  };
}

/** "1er mars", "2 mars". */
const dayWords = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'long', timeZone }).format(at).replace(/^1\b/, '1er');

function openSentence(incident: IncidentItem, now: Date): string {
  const since = hasDuration(incident) ? `, depuis ${incidentDuration(incident, now)}` : '';
  return `En cours\u00a0: ${titleInSentence(incident, now)}${since}.`;
}

function endedSentence(incident: IncidentItem, now: Date): string {
  const lasted = hasDuration(incident) ? ` (${incidentDuration(incident, now)})` : '';
  return `Terminé\u00a0: ${titleInSentence(incident, now)}${lasted}.`;
}

/** "2 incidents en cours, 3 terminés". */
function summaryOf(open: number, ended: number): string {
  if (open + ended === 0) return 'rien à signaler';
  const endedWord = ended > 1 ? 'terminés' : 'terminé';
  if (open === 0) return `${countIncidents(ended)} ${endedWord}`;
  return `${countIncidents(open)} en cours${ended > 0 ? `, ${ended} ${endedWord}` : ''}`;
}

function firstOf(items: readonly IncidentItem[], total: number, say: (incident: IncidentItem) => string): string[] {
  const shown = items.slice(0, maxDigestLines);
  const others = total - shown.length;
  return [...shown.map(say), ...(others > 0 ? [`Et ${others} de plus.`] : [])];
}
