import type { AlertMessage } from '@vigie/contracts/alerts';
import type { AlertKind } from '@vigie/contracts/channels';
import { endSentence } from '@vigie/contracts/french';
import { eventSentence } from '@vigie/contracts/incident-story';
import {
  countSites,
  endTitle,
  incidentDuration,
  incidentTitle,
  momentWords,
  reasonOf,
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
  const { events: _, subjects: __, can_act: ___, ...item } = incident;
  return {
    kind,
    severity: incident.severity,
    title: titleOf(incident, kind, now),
    lines: isOver ? endLines(incident, timeZone, now) : openLines(incident, timeZone, now),
    link: `/incidents/${incident.id}`,
    link_label: !isOver && isOneSiteDown(incident) ? 'Voir l’incident et réparer' : 'Voir l’incident',
    at: now.toISOString(),
    incident: item,
  };
}

const isOneSiteDown = ({ kind, cause }: Incident) => kind === 'outage' && cause.kind === 'site';

function titleOf(incident: Incident, kind: AlertKind, now: Date): string {
  if (kind === 'resolved') return endTitle(incident, now);
  const title = incidentTitle(incident, now);
  return kind === 'reopened' ? `${title}, de nouveau` : title;
}

const openLines = (incident: Incident, timeZone: string, now: Date): string[] => [
  ...whyLines(incident, timeZone),
  `Depuis le ${momentWords(incident.observed_at, timeZone)} (${incidentDuration(incident, now)}).`,
  ...opinionLine(incident),
  ...subjectLine(incident),
  ...taskLines(incident, timeZone),
];

function whyLines({ evidence }: Incident, timeZone: string): string[] {
  const reason = reasonOf(evidence, timeZone);
  return reason === undefined ? [] : [endSentence(reason)];
}

function opinionLine({ subjects }: Incident): string[] {
  const opinion = subjects.find((subject) => subject.opinion !== null)?.opinion;
  return opinion ? [verdictSentence(opinion.verdict, { elsewhere: opinion.other?.server_name })] : [];
}

/** "Touchés : a.fr, b.fr et 7 sites de plus." */
function subjectLine({ subjects, cause, failing }: Incident): string[] {
  if (cause.kind === 'site') return [];
  const sites = subjects.filter(({ kind, until }) => kind === 'site' && until === null);
  if (sites.length === 0) return [];
  const names = sites.slice(0, maxNamed).map(({ name }) => name);
  const others = Math.max(failing, sites.length) - names.length;
  const rest = others > 0 ? ` et ${countSites(others)} de plus` : '';
  return [`Touchés\u00a0: ${names.join(', ')}${rest}.`];
}

/** What Vigie did to the site shortly before or since may be the reason. */
const taskLines = (incident: Incident, timeZone: string): string[] =>
  incident.events
    .filter(({ kind }) => kind === 'task')
    .slice(-maxTasks)
    .map((event) => `Le ${momentWords(event.at, timeZone)}\u00a0: ${eventSentence(event, incident, timeZone)}`);

function endLines(incident: Incident, timeZone: string, now: Date): string[] {
  const { observed_at: from, resolved_at: to, resolution } = incident;
  const lasted = `Du ${momentWords(from, timeZone)} au ${momentWords(to ?? now.toISOString(), timeZone)}\u00a0: ${incidentDuration(incident, now)}.`;
  const closed = incident.events.findLast(({ kind }) => kind === 'closed');
  return [
    ...(resolution === 'closed' && closed ? [eventSentence(closed, incident, timeZone)] : []),
    lasted,
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
  const date = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'long', timeZone }).format(now);
  const total = openTotal + endedTotal;
  return {
    kind: 'digest',
    severity: null,
    title: `Bulletin du ${date}\u00a0: ${summaryOf(openTotal, endedTotal)}`,
    lines: [
      ...firstOf(
        open,
        openTotal,
        (incident) => `En cours\u00a0: ${incidentTitle(incident, now)}, depuis ${incidentDuration(incident, now)}.`,
      ),
      ...firstOf(
        ended,
        endedTotal,
        (incident) => `Terminé\u00a0: ${incidentTitle(incident, now)} (${incidentDuration(incident, now)}).`,
      ),
      ...(total === 0 ? ['Aucun incident depuis 24 heures.'] : []),
      `Vigie surveille ${countSites(sites)}.`,
    ],
    link: '/incidents',
    link_label: 'Voir les incidents',
    at: now.toISOString(),
    incident: null,
  };
}

const incidents = (count: number) => `${count}\u00a0${count > 1 ? 'incidents' : 'incident'}`;

/** "2 incidents en cours, 3 terminés". */
function summaryOf(open: number, ended: number): string {
  if (open + ended === 0) return 'rien à signaler';
  const endedWord = ended > 1 ? 'terminés' : 'terminé';
  if (open === 0) return `${incidents(ended)} ${endedWord}`;
  return `${incidents(open)} en cours${ended > 0 ? `, ${ended} ${endedWord}` : ''}`;
}

function firstOf(items: readonly IncidentItem[], total: number, say: (incident: IncidentItem) => string): string[] {
  const shown = items.slice(0, maxDigestLines);
  const others = total - shown.length;
  return [...shown.map(say), ...(others > 0 ? [`Et ${others} de plus.`] : [])];
}
