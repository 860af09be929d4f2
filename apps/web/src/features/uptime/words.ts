import { momentWords } from '@vigie/contracts/incident-words';
import type { Uptime, UptimePoint } from '@vigie/contracts/uptime';
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
