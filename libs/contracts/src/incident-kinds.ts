/** What is said of an incident by its kind: its title, its end, and the sentences of its time line. */
import { endSentence, withDe } from './french';
import {
  capitalize,
  continued,
  count,
  countSites,
  dateWords,
  incidentDuration,
  nameInText,
  serverName,
} from './incident-words';
import type { Evidence, IncidentItem, IncidentKind } from './incidents';

const dayMs = 86_400_000;

type Titled = Pick<
  IncidentItem,
  'kind' | 'state' | 'cause' | 'is_server_down' | 'sites' | 'failing' | 'evidence' | 'observed_at' | 'resolved_at'
>;

/** `subject` is the name of one site or server, `count` the number of sites where there are several. */
type Touched = { subject: string | null; count: number | null };

type KindWords = {
  /** "boutique.fr ne répond plus"; once it is resolved, "boutique.fr ne répondait plus". */
  title: (incident: Titled, now: Date) => string;
  /** Whether the title starts with a name, which keeps its capital inside a sentence. */
  startsWithName: (incident: Titled) => boolean;
  /** How it ended: "boutique.fr répond de nouveau". */
  end: (incident: Titled, now: Date) => string;
  /** The first failed check. */
  observed: (touched: Touched, reason: string | undefined) => string;
  opened: (touched: Touched) => string;
  joined: (touched: Touched) => string;
  recovered: (touched: Touched) => string;
  /** The end of the whole. */
  resolved: string;
  /** What ends on this day, and whose name stands on it. */
  validUntil?: (date: string, name: string) => string;
};

const isNamedSite = ({ cause }: Titled): boolean => cause.kind === 'site' && cause.id !== null;

const several = ({ count: number }: Touched): number | undefined =>
  number !== null && number > 1 ? number : undefined;

const firstFailure = ({ subject }: Touched, reason: string | undefined): string => {
  const failure = `Premier échec${subject === null ? '' : ` ${withDe(subject)}`}`;
  return endSentence(reason === undefined ? failure : `${failure}\u00a0: ${continued(reason)}`);
};

/** "Le certificat de boutique.fr" followed by what it does. */
const ofSubject = (noun: string, { subject }: Touched): string =>
  subject === null ? noun : `${noun} ${withDe(subject)}`;

const opened = 'L’incident est ouvert.';
const resolved = 'L’incident est terminé.';

const outage: KindWords = {
  title: (incident) => outageTitle(incident),
  startsWithName: isNamedSite,
  end: (incident) => {
    const { cause, is_server_down: isServerDown } = incident;
    if (cause.kind === 'site') return `${cause.name} répond de nouveau`;
    if (isServerDown) return `${capitalize(serverName(cause))} répond de nouveau`;
    return `${sitesOf(incident)} ${sitesToName(incident) > 1 ? 'répondent' : 'répond'} de nouveau`;
  },
  observed: firstFailure,
  opened: (touched) => {
    const number = several(touched);
    return `La panne se confirme${number === undefined ? '' : ` sur ${countSites(number)}`}\u00a0: l’incident est ouvert.`;
  },
  joined: (touched) => {
    const number = several(touched);
    return number === undefined
      ? `${touched.subject ?? 'Un site de plus'} ne répond plus.`
      : `${countSites(number)} de plus ne répondent plus.`;
  },
  recovered: (touched) => {
    const number = several(touched);
    return number === undefined
      ? `${touched.subject ?? 'Le site'} répond de nouveau.`
      : `${countSites(number)} répondent de nouveau.`;
  },
  resolved: 'Tout répond de nouveau\u00a0: l’incident est terminé.',
};

/** The site answers, and what visitors see is another page than the one that is expected. */
const content: KindWords = {
  title: ({ state, cause }) =>
    `${cause.name} ${state === 'open' ? 'n’affiche plus' : 'n’affichait plus'} la page attendue`,
  startsWithName: isNamedSite,
  end: ({ cause }) => `${cause.name} affiche de nouveau la page attendue`,
  observed: firstFailure,
  opened: () => 'L’écart se confirme\u00a0: l’incident est ouvert.',
  joined: ({ subject }) => `${subject ?? 'Un site de plus'} n’affiche plus la page attendue.`,
  recovered: ({ subject }) => `${subject ?? 'Le site'} affiche de nouveau la page attendue.`,
  resolved,
};

/** What has a date of its end, by its name. */
const expiring = (nameOf: (incident: Titled) => string): Pick<KindWords, 'title' | 'startsWithName' | 'end'> => ({
  title: (incident, now) => {
    const { state, evidence, resolved_at: resolvedAt } = incident;
    const name = nameOf(incident);
    if (state === 'open') return `${name} ${expiryWords(msLeft(evidence, now))}`;
    const isExpired = (msLeft(evidence, resolvedAt === null ? now : new Date(resolvedAt)) ?? 1) <= 0;
    return `${name} ${isExpired ? 'avait expiré' : 'allait expirer'}`;
  },
  startsWithName: () => false,
  end: (incident) => `${nameOf(incident)} est renouvelé`,
});

const certificate: KindWords = {
  ...expiring(({ cause }) => `Le certificat ${withDe(nameInText(cause))}`),
  observed: (_, reason) => endSentence(reason ?? 'Le certificat expire bientôt'),
  opened: () => opened,
  joined: (touched) => `${ofSubject('Le certificat', touched)} expire aussi.`,
  recovered: (touched) => `${ofSubject('Le certificat', touched)} est renouvelé.`,
  resolved,
  validUntil: (date, issuer) => `Certificat valable jusqu’au ${date}${issuer && ` (émis par ${issuer})`}`,
};

const domainExpiry = expiring(({ cause }) => `Le domaine ${cause.name}`);

const domain: KindWords = {
  ...domainExpiry,
  // The date of one that is about to be given up says nothing.
  title: (incident, now) => {
    const { cause, evidence, state } = incident;
    if (evidence?.ends_at !== null) return domainExpiry.title(incident, now);
    return `Le domaine ${cause.name} ${state === 'open' ? 'n’est' : 'n’était'} pas renouvelé`;
  },
  observed: (_, reason) => endSentence(reason ?? 'Le domaine expire bientôt'),
  opened: () => opened,
  joined: (touched) => {
    const number = several(touched);
    return number === undefined
      ? `${touched.subject ?? 'Un site de plus'} en dépend aussi.`
      : `${countSites(number)} de plus en dépendent.`;
  },
  recovered: () => 'Le domaine est renouvelé.',
  resolved,
  validUntil: (date, registrar) => `Domaine valable jusqu’au ${date}${registrar && ` (enregistré chez ${registrar})`}`,
};

const dns: KindWords = {
  title: (incident) => {
    const { cause, state } = incident;
    const [one, many] = state === 'open' ? ['pointe', 'pointent'] : ['pointait', 'pointaient'];
    const isOne = cause.kind === 'site';
    const verb = isOne || sitesToName(incident) === 1 ? one : many;
    return `${isOne ? cause.name : sitesOf(incident)} ${verb} vers une autre adresse`;
  },
  startsWithName: isNamedSite,
  end: (incident) => {
    if (incident.cause.kind === 'site') return `${incident.cause.name} pointe de nouveau vers son adresse`;
    return `${sitesOf(incident)} ${sitesToName(incident) > 1 ? 'pointent de nouveau vers leur' : 'pointe de nouveau vers son'} adresse`;
  },
  observed: (_, reason) => endSentence(reason ?? 'L’adresse a changé'),
  opened: () => `${opened} Si ce changement est voulu, clore l’incident suffit.`,
  joined: (touched) => {
    const number = several(touched);
    return number === undefined
      ? `${touched.subject ?? 'Un site de plus'} aussi a changé d’adresse.`
      : `${countSites(number)} de plus ont changé d’adresse.`;
  },
  recovered: (touched) => {
    const number = several(touched);
    return number === undefined
      ? `${touched.subject ?? 'Le site'} pointe de nouveau vers son adresse.`
      : `${countSites(number)} pointent de nouveau vers leur adresse.`;
  },
  resolved,
};

const network: KindWords = {
  title: ({ state }) => (state === 'open' ? 'Vigie est coupée du réseau' : 'Vigie était coupée du réseau'),
  startsWithName: () => true,
  end: () => 'Vigie a retrouvé le réseau',
  observed: () => 'Vigie ne joint plus rien.',
  opened: () => 'La coupure se confirme\u00a0: l’incident est ouvert.',
  joined: () => 'Vigie ne joint plus rien.',
  recovered: () => 'Le réseau est revenu.',
  resolved,
};

const unwatched: KindWords = {
  title: (incident, now) => `Vigie n’a pas veillé pendant ${incidentDuration(incident, now)}`,
  startsWithName: () => true,
  end: (incident, now) => `Vigie veille de nouveau, après ${incidentDuration(incident, now)} sans rien vérifier`,
  observed: () => 'La veille s’est arrêtée.',
  opened: () => opened,
  joined: () => opened,
  recovered: () => 'Les vérifications ont repris.',
  resolved: 'Les vérifications ont repris.',
};

export const kindWords: Readonly<Record<IncidentKind, KindWords>> = {
  outage,
  content,
  certificate,
  domain,
  dns,
  network,
  unwatched,
};

/** An expiry has a date, which its title says; since when Vigie knows of it says nothing. */
export const hasDuration = ({ kind }: Pick<IncidentItem, 'kind'>): boolean =>
  kind !== 'certificate' && kind !== 'domain';

/** "HTTP 502", the end of what expires, or the sentence that the check stored. */
export function reasonOf(
  { kind, evidence }: Pick<IncidentItem, 'kind' | 'evidence'>,
  timeZone?: string,
): string | undefined {
  if (!evidence) return undefined;
  const { code, reason, ends_at: endsAt } = evidence;
  if (code !== null && code >= 400) return `HTTP\u00a0${code}`;
  if (endsAt !== null) return kindWords[kind].validUntil?.(dateWords(endsAt, timeZone), reason ?? '');
  if (reason !== null && reason !== '') return reason;
  if (code === null) return undefined;
  return code === 0 ? 'Pas de réponse' : `HTTP\u00a0${code}`;
}

export const incidentTitle = (incident: Titled, now: Date): string => kindWords[incident.kind].title(incident, now);

/** The title after a colon. A name keeps its capital: only an article or "Un site" loses it. */
export function titleInSentence(incident: Titled, now: Date): string {
  const title = incidentTitle(incident, now);
  return kindWords[incident.kind].startsWithName(incident) ? title : continued(title);
}

export function endTitle(incident: Titled & Pick<IncidentItem, 'resolution'>, now: Date): string {
  if (incident.resolution === 'closed') return `Incident clos\u00a0: ${titleInSentence(incident, now)}`;
  return kindWords[incident.kind].end(incident, now);
}

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
