import { capitalize, durationWords, momentWords } from '@vigie/contracts/incident-words';
import type { PublicOutage, PublicSite, PublicState, PublicStatus } from '@vigie/contracts/status-pages';
import { spellUptime } from '../../kit/words/uptime';
import { plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';

const stateWords: Readonly<Record<PublicState, readonly [word: string, tone: Tone]>> = {
  up: ['Fonctionne', 'ok'],
  down: ['Ne répond pas', 'danger'],
  maintenance: ['En maintenance', 'info'],
  unknown: ['État inconnu', 'neutral'],
};

export const stateWord = (state: PublicState): string => stateWords[state][0];
export const stateTone = (state: PublicState): Tone => stateWords[state][1];

/** The name of the product means nothing to the visitors of an installation that goes by another one. */
const cutSentence = (appName: string): string =>
  `État inconnu\u00a0: ${appName === 'Vigie' ? 'Vigie' : 'la surveillance'} est coupée du réseau`;

/** The whole page in one sentence. */
export function overallSentence({ counts, is_cut: isCut }: Pick<PublicStatus, 'counts' | 'is_cut'>, appName: string) {
  const { up, down, maintenance, unknown } = counts;
  if (up + down + maintenance + unknown === 0) return 'Aucun site pour l’instant';
  if (isCut) return cutSentence(appName);
  if (down > 0) return plural(down, 'site ne répond pas', 'sites ne répondent pas');
  if (unknown > 0 && up + maintenance === 0) return 'État inconnu pour l’instant';
  if (unknown > 0) return `État inconnu pour ${plural(unknown, 'site', 'sites')}`;
  if (maintenance > 0) return plural(maintenance, 'site en maintenance', 'sites en maintenance');
  return 'Tout fonctionne';
}

/** What the sentence leaves out: where some sites fail, what is known of the others. */
export function otherSentence({ up, down, maintenance, unknown }: PublicStatus['counts']): string | undefined {
  if (down === 0) return undefined;
  const others = [
    up > 0 && plural(up, 'autre fonctionne', 'autres fonctionnent'),
    maintenance > 0 && plural(maintenance, 'autre en maintenance', 'autres en maintenance'),
    unknown > 0 && `état inconnu pour ${plural(unknown, 'autre', 'autres')}`,
  ].filter(Boolean);
  return others.length === 0 ? undefined : capitalize(others.join(', '));
}

const list = new Intl.ListFormat('fr-FR');
const maxNames = 3;

/** "boutique.fr, blog.fr et 4 autres sites". */
function nameSites(sites: readonly string[]): string {
  const rest = sites.length - maxNames;
  return rest > 1
    ? list.format([...sites.slice(0, maxNames), plural(rest, 'autre site', 'autres sites')])
    : list.format(sites);
}

/** "boutique.fr ne répond pas"; once it is over "boutique.fr n’a pas répondu". */
export function outageTitle({ sites, to }: PublicOutage): string {
  const [one, many] = to === null ? ['ne répond pas', 'ne répondent pas'] : ['n’a pas répondu', 'n’ont pas répondu'];
  return `${nameSites(sites)} ${sites.length > 1 ? many : one}`;
}

/** "Depuis le 3 mars à 14:05 (12 min)", and once it is over "Pendant 12 min, le 3 mars à 14:05". */
export function outagePeriod({ from, to }: PublicOutage, now: Date): string {
  const end = to === null ? now.getTime() : Date.parse(to);
  const words = durationWords(end - Date.parse(from));
  return to === null ? `Depuis le ${momentWords(from)} (${words})` : `Pendant ${words}, le ${momentWords(from)}`;
}

const dayMs = 86_400_000;
const shortDay = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** The day of UTC that a bar stands for. */
const dayOf = (index: number, days: number, generatedAt: string): string =>
  shortDay.format(Date.parse(generatedAt) - (days - 1 - index) * dayMs);

/** "3 mars : 98,40 %". */
export function dayWords({ days }: Pick<PublicSite, 'days'>, index: number, generatedAt: string): string {
  const percent = days[index] ?? null;
  return `${dayOf(index, days.length, generatedAt)}\u00a0: ${percent === null ? 'pas de mesure' : spellUptime(percent)}`;
}

const maxBadDays = 5;

/** What the bars show, for those who do not see them: the days with failures, the newest first. */
export function describeDays(site: Pick<PublicSite, 'days' | 'uptime'>, generatedAt: string): string {
  const { days, uptime } = site;
  if (days.every((percent) => percent === null)) return 'Pas encore de mesure';
  const bad = days.flatMap((percent, index) => (percent !== null && percent < 100 ? [index] : [])).toReversed();
  const named = bad.slice(0, maxBadDays).map((index) => dayWords(site, index, generatedAt));
  const rest = bad.length - named.length;
  const total = `${days.length}\u00a0derniers jours\u00a0: ${spellUptime(uptime.quarter)}`;
  if (bad.length === 0) return `${total}, aucun échec`;
  return `${total}. Échecs\u00a0: ${[...named, ...(rest > 0 ? [plural(rest, 'autre jour', 'autres jours')] : [])].join('\u202f; ')}`;
}

const hour = new Intl.DateTimeFormat('fr-FR', { hour: '2-digit', minute: '2-digit' });

/** "Mis à jour à 14:05". */
export const updatedWords = (at: string): string => `Mis à jour à ${hour.format(new Date(at))}`;

export const publicAddress = (secret: string): string => `${window.location.origin}/etat/${secret}`;
