import { momentWords } from '@vigie/contracts/incident-words';
import { endSentence } from '@vigie/contracts/french';
import type { SiteDomain } from '@vigie/contracts/domains';
import type { SiteAddresses, Uptime, UptimePoint } from '@vigie/contracts/uptime';
import { formatMs } from '../../ui/dates';
import { plural } from '../../ui/plural';

type Beat = Uptime['beats'][number];

/** "toutes les 5 min". */
export function intervalWords(seconds: number): string {
  if (seconds < 60) return `toutes les ${seconds}\u00a0s`;
  const minutes = Math.round(seconds / 60);
  if (minutes === 1) return 'chaque minute';
  return minutes % 60 === 0
    ? minutes === 60
      ? 'chaque heure'
      : `toutes les ${minutes / 60}\u00a0h`
    : `toutes les ${minutes}\u00a0min`;
}

const answerWords = ({ code, ms }: Beat): string =>
  code === 0 ? 'pas de réponse' : `HTTP\u00a0${code}${ms === null ? '' : ` en ${formatMs(ms)}`}`;

/** "3 mars à 04:08 · HTTP 200 en 120 ms". */
export function beatTitle(beat: Beat): string {
  const why = {
    up: answerWords(beat),
    down: answerWords(beat),
    excused: 'en travaux',
    unsure: 'Vigie était coupée du réseau',
  };
  return `${momentWords(beat.at)} · ${why[beat.state]}`;
}

/** Why some of the last checks count neither for nor against the site. */
export function explainBeats(beats: readonly Beat[]): string[] {
  const count = (state: Beat['state']) => beats.filter((beat) => beat.state === state).length;
  const sentence = (number: number, why: string) =>
    number === 0 ? [] : [`${plural(number, 'contrôle ne compte pas', 'contrôles ne comptent pas')}\u00a0: ${why}`];
  return [
    ...sentence(count('excused'), 'le site était en travaux.'),
    ...sentence(count('unsure'), 'Vigie était coupée du réseau.'),
  ];
}

const longDay = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long' });

/** "3 mars 2027". */
export const dayWords = (at: string): string => longDay.format(new Date(at));

/** A registry is asked each day: what is older was not read since. */
const staleMs = 2 * 86_400_000;

const phaseWords: Readonly<Record<SiteDomain['phase'], string>> = {
  usual: '',
  renewing: ' Le registre l’a prolongé d’office, en attendant qu’il soit payé.',
  lapsed: ' Le registre va le libérer\u00a0: il faut le racheter au plus vite.',
};

/** "Domaine : boutique.fr, expire le 3 mars 2027 (enregistré chez OVH)." */
export function domainWords(domain: SiteDomain, now: Date): string {
  const { name, state, phase, expires_at: endsAt, registrar, checked_at: at, error } = domain;
  const start = `Domaine\u00a0: ${name}`;
  if (at === null) return `${start}, pas encore vérifié.`;
  const reason = error === null ? '' : ` ${endSentence(error)}`;
  if (endsAt === null) return `${start}, fin inconnue.${reason}`;
  const verb = Date.parse(endsAt) <= now.getTime() ? 'a expiré' : 'expire';
  const where = registrar === null ? '' : ` (enregistré chez ${registrar})`;
  const end = phase === 'lapsed' ? `n’a pas été renouvelé${where}` : `${verb} le ${dayWords(endsAt)}${where}`;
  const isStale = now.getTime() - Date.parse(at) > staleMs;
  const read = state === 'known' && isStale ? ` Lu le ${momentWords(at)}.` : '';
  const failure = state === 'failed' ? ` Dernière lecture en échec\u00a0:${reason}` : reason;
  return `${start}, ${end}.${phaseWords[phase]}${read}${failure}`;
}

/** "Adresse : 192.0.2.1. Changement le 3 mars à 04:08 (avant : 192.0.2.7)." */
export function addressWords({ current, previous, changed_at: at }: SiteAddresses): string {
  const start = `${current.length > 1 ? 'Adresses' : 'Adresse'}\u00a0: ${current.join(', ')}.`;
  return at === null ? start : `${start} Changement le ${momentWords(at)} (avant\u00a0: ${previous.join(', ')}).`;
}

const formatValue = (ms: number | null): string => (ms === null ? '—' : formatMs(ms));

/** "médiane 120 ms, 95 % en moins de 300 ms, 2 échecs". */
export function pointWords({ p50, p95, downs, others }: UptimePoint): string {
  const parts = [
    p50 !== null && `médiane ${formatValue(p50)}`,
    p95 !== null && `95\u202f% sous ${formatValue(p95)}`,
    downs > 0 && plural(downs, 'échec', 'échecs'),
    others > 0 && plural(others, 'contrôle à part', 'contrôles à part'),
  ];
  return parts.filter(Boolean).join(', ') || 'aucune réponse';
}

/** "Temps de réponse sur 7 j : médiane de 90 ms à 180 ms, dernière 120 ms, 2 moments avec des échecs". */
export function describeTimes(points: readonly UptimePoint[], period: string): string {
  const medians = points.flatMap(({ p50 }) => p50 ?? []);
  const failed = points.filter(({ downs }) => downs > 0).length;
  const failures = failed === 0 ? '' : `, ${plural(failed, 'moment avec des échecs', 'moments avec des échecs')}`;
  if (medians.length === 0) return `Temps de réponse sur ${period}\u00a0: aucune réponse${failures}`;
  const [min, max] = [Math.min(...medians), Math.max(...medians)];
  const span = min === max ? formatMs(min) : `de ${formatMs(min)} à ${formatMs(max)}`;
  return `Temps de réponse sur ${period}\u00a0: médiane ${span}, dernière ${formatValue(medians.at(-1) ?? null)}${failures}`;
}
