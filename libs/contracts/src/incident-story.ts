/** The time line of an incident, and its whole story as text. */
import {
  continued,
  countSites,
  incidentDuration,
  momentWords,
  muteWords,
  opinionDetails,
  serverName,
  severityWord,
  stateWord,
  verdictSentence,
} from './incident-words';
import { incidentTitle, kindWords, reasonOf } from './incident-kinds';
import type { Incident, IncidentItem, Opinion } from './incidents';
import { isJobKind, type JobKind } from './jobs';

type IncidentEvent = Incident['events'][number];

const jobNouns: Readonly<Record<JobKind, string>> = {
  'backups.create': 'une sauvegarde',
  'backups.download': 'un téléchargement',
  'backups.import': 'un import',
  'backups.restore': 'une restauration',
  'backups.verify': 'une vérification de sauvegarde',
  'changes.activate': 'une activation',
  'changes.deactivate': 'une désactivation',
  'changes.install': 'une installation',
  'changes.restore': 'un retour à la version précédente',
  'changes.update': 'une mise à jour',
  'commands.run': 'une commande',
  'servers.discover': 'une découverte de sites',
  'servers.test': 'un test de connexion',
  'site-repairs.apply': 'une réparation',
  'site-repairs.look': 'un examen',
  'sites.inspect': 'une lecture de WordPress',
  'sites.test': 'un test de connexion',
};

const jobOutcomes: Readonly<Record<string, string>> = {
  queued: 'en attente',
  running: 'en cours',
  succeeded: 'sans erreur',
  failed: 'échec',
  cancelled: 'annulation',
  unknown: 'issue inconnue',
};

type TaskJob = NonNullable<IncidentEvent['job']>;
const jobNoun = ({ kind }: TaskJob): string => (isJobKind(kind) ? jobNouns[kind] : 'une tâche');
const jobOutcome = ({ state }: TaskJob): string => jobOutcomes[state] ?? state;

type Say = (event: IncidentEvent, incident: Pick<IncidentItem, 'kind'>, timeZone?: string) => string;

/** "boutique.fr : HTTP 502." or "HTTP 502." */
const about = ({ subject }: IncidentEvent, text: string): string =>
  subject === null ? text : `${subject}\u00a0: ${continued(text)}`;

const personOf = ({ by }: IncidentEvent): string => by ?? 'Quelqu’un';

const sayOpinion: Say = (event) => {
  const { opinion, subject } = event;
  if (!opinion) return 'Vigie a demandé un second avis.';
  const sentence = verdictSentence(opinion.verdict, { elsewhere: opinion.other?.server_name });
  return subject === null ? sentence : about(event, sentence);
};

const sayMuted: Say = (event, _, timeZone) =>
  `${personOf(event)} a mis l’incident en sourdine${
    event.until === null ? '' : ` ${muteWords(event.until, new Date(event.at), timeZone)}`
  }.`;

const sayTask: Say = ({ by, job, subject }) => {
  const place = subject === null ? '' : ` sur ${subject}`;
  const what = `${by ?? 'Vigie'} a lancé ${job ? jobNoun(job) : 'une tâche'}${place}`;
  return job ? `${what}\u00a0: ${jobOutcome(job)}.` : `${what}.`;
};

/** What concerns a name is over for its site with another address or owner too. */
const sayRemoved: Say = ({ subject }, { kind }) => {
  const name = subject ?? 'Ce qui était touché';
  return kind === 'domain' || kind === 'dns'
    ? `${name} a changé d’adresse ou de propriétaire, ou n’est plus dans Vigie.`
    : `${name} n’est plus dans Vigie.`;
};

const sentences: Readonly<Record<IncidentEvent['kind'], Say>> = {
  observed: (event, { kind }, timeZone) =>
    kindWords[kind].observed(event, reasonOf({ kind, evidence: event.evidence }, timeZone)),
  opened: (event, { kind }) => kindWords[kind].opened(event),
  joined: (event, { kind }) => kindWords[kind].joined(event),
  opinion: sayOpinion,
  recovered: (event, { kind }) => kindWords[kind].recovered(event),
  reopened: () => 'Ça recommence\u00a0: l’incident est rouvert.',
  acknowledged: (event) => `${personOf(event)} s’en occupe.`,
  muted: sayMuted,
  unmuted: ({ by }) => (by === null ? 'La sourdine est finie.' : `${by} a levé la sourdine.`),
  commented: (event) => `${personOf(event)} a écrit\u00a0:`,
  merged: () => 'L’incident rejoint celui de son serveur.',
  removed: sayRemoved,
  closed: (event) => `${personOf(event)} a clos l’incident.`,
  resolved: (_, { kind }) => kindWords[kind].resolved,
  task: sayTask,
  alerted: ({ subject }) => `Alerte envoyée par «\u00a0${subject ?? ''}\u00a0».`,
  alert_failed: ({ subject }) => `L’alerte par «\u00a0${subject ?? ''}\u00a0» n’est pas partie\u00a0:`,
};

/** One sentence for a line of the time line; the text of a comment, or the reason of a failure, follows it. */
export const eventSentence: Say = (event, incident, timeZone) => sentences[event.kind](event, incident, timeZone);

const fullMoment = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat('fr-FR', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(new Date(at));

function causeWords({ kind, cause, is_server_down: isServerDown, sites }: Incident): string {
  if (cause.kind === 'vigie') return kind === 'network' ? 'le réseau de Vigie' : 'Vigie elle-même';
  if (cause.kind === 'site') return cause.name;
  if (cause.kind === 'domain') return `le domaine ${cause.name} (${countSites(sites)})`;
  const state = kind === 'outage' && !isServerDown ? ', qui répond pourtant lui-même' : '';
  return `${serverName(cause)}${state} (${countSites(sites)})`;
}

/** The opinion about the first subject that has one. */
const opinionOf = ({ subjects }: Incident): Opinion | undefined =>
  subjects.find(({ opinion }) => opinion !== null)?.opinion ?? undefined;

const taskWords = ({ events }: Incident): string =>
  events
    .flatMap(({ job, subject }) =>
      job ? [`${jobNoun(job)}${subject === null ? '' : ` sur ${subject}`} (${jobOutcome(job)})`] : [],
    )
    .join(', ');

type FactLine = readonly [name: string, value: string | undefined];

function factLines(incident: Incident, timeZone: string, now: Date): FactLine[] {
  const { resolved_at: resolvedAt, acknowledged_at: ackAt, acknowledged_by: ackBy, reopenings } = incident;
  const opinion = opinionOf(incident);
  const seen = reasonOf(incident, timeZone);
  return [
    ['Début', fullMoment(incident.observed_at, timeZone)],
    ['Incident ouvert', fullMoment(incident.opened_at, timeZone)],
    ['Fin', resolvedAt === null ? 'pas encore' : fullMoment(resolvedAt, timeZone)],
    ['Durée', incidentDuration(incident, now)],
    ['Gravité', severityWord(incident.severity)],
    ['Cause', causeWords(incident)],
    ['Observé', seen],
    [
      'Second avis',
      opinion &&
        `${verdictSentence(opinion.verdict, { elsewhere: opinion.other?.server_name, isOver: resolvedAt !== null })} ${opinionDetails(opinion)}`,
    ],
    [
      'Pris en charge',
      ackAt === null ? 'par personne' : `par ${ackBy ?? 'quelqu’un'}, ${momentWords(ackAt, timeZone)}`,
    ],
    ['Rouvert', reopenings === 0 ? undefined : `${reopenings}\u00a0fois`],
    ['Issue', resolvedAt === null ? undefined : stateWord(incident)],
    ['Tâches de Vigie', taskWords(incident) || 'aucune'],
  ];
}

const eventLine = (event: IncidentEvent, incident: Incident, timeZone: string): string =>
  `- ${momentWords(event.at, timeZone)}\u00a0: ${[eventSentence(event, incident, timeZone), event.text?.replaceAll('\n', '\n  ')].filter(Boolean).join(' ')}`;

type PostMortemOptions = { timeZone?: string; now?: Date };

/** The whole story as plain text, to paste into a ticket or a mail. */
export function postMortem(
  incident: Incident,
  { timeZone = 'Europe/Paris', now = new Date() }: PostMortemOptions = {},
): string {
  const facts = factLines(incident, timeZone, now).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}\u00a0: ${value}`],
  );
  return [
    incidentTitle(incident, now),
    '',
    ...facts,
    '',
    'Déroulé',
    ...incident.events.map((event) => eventLine(event, incident, timeZone)),
    '',
  ].join('\n');
}
