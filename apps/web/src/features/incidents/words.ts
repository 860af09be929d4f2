import { endSentence } from '@vigie/contracts/french';
import { incidentDuration, momentWords, muteWords, verdictSentence } from '@vigie/contracts/incident-words';
import { reasonOf } from '@vigie/contracts/incident-kinds';
import type { IncidentItem, Severity } from '@vigie/contracts/incidents';
import { formatNumber, plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';

const severityTones = { critical: 'danger', warning: 'warn', info: 'info' } as const satisfies Record<Severity, Tone>;

export const severityTone = ({ severity }: Pick<IncidentItem, 'severity'>) => severityTones[severity];

/** Green only where good checks ended it. */
export function stateTone({
  state,
  severity,
  resolution,
}: Pick<IncidentItem, 'state' | 'severity' | 'resolution'>): Tone {
  if (state === 'open') return severityTones[severity];
  return resolution === 'recovered' ? 'ok' : 'neutral';
}

/** "Depuis 12 min (3 mars à 04:08)", and once it is over "Pendant 21 min, le 3 mars à 04:08". */
export function periodWords(incident: IncidentItem, now: Date): string {
  const { state, observed_at: from } = incident;
  const duration = incidentDuration(incident, now);
  return state === 'open'
    ? `Depuis ${duration} (${momentWords(from)})`
    : `Pendant ${duration}, le ${momentWords(from)}`;
}

/** What was seen, and what the second opinion says of it, where the incident is about one site. */
export function describeObservation(incident: IncidentItem): string {
  const { verdict, sites, state, failing } = incident;
  const reason = reasonOf(incident);
  const isPartlyOver = state === 'open' && failing > 0 && failing < sites;
  return [
    reason !== undefined && endSentence(reason),
    verdict !== null && sites < 2 && verdictSentence(verdict, { isOver: state === 'resolved' }),
    isPartlyOver && `${plural(failing, 'site', 'sites')} sur ${formatNumber(sites)} encore en panne.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** What comes of it once somebody has closed it. */
export const afterClosing = (kind: IncidentItem['kind']): string => closings[kind] ?? closings.outage;

const closings: { outage: string } & Partial<Record<IncidentItem['kind'], string>> = {
  outage: 'Si la panne continue, il se rouvre en quelques minutes.',
  domain: 'Si le registre le dit toujours près de sa fin, l’incident se rouvre dans l’heure.',
  dns: 'Vigie retient que les adresses d’aujourd’hui sont les bonnes.',
};

/** "Anne Martin s’en occupe"; undefined while nobody does, and once it is over. */
export function takenBy({ acknowledged_at: at, acknowledged_by: name, state }: IncidentItem): string | undefined {
  if (at === null || state === 'resolved') return undefined;
  return `${name ?? 'Quelqu’un'} s’en occupe`;
}

/** "Muet jusqu’à 05:20"; undefined unless it is muted. */
export function mutedUntil({ muted_until: until, state }: IncidentItem, now: Date): string | undefined {
  if (until === null || state === 'resolved' || Date.parse(until) <= now.getTime()) return undefined;
  return `Muet ${muteWords(until, now)}`;
}
