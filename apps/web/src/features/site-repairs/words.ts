import type { LastFatal, Maintenance, RepairCheck } from '@vigie/contracts/site-repairs';
import type { HttpStatus } from '@vigie/contracts/sites';
import type { Tone } from '../../ui/Status';

type Said = { tone: Tone; word: string };

export function pageOf({ code, error }: HttpStatus): Said {
  if (code === 0) return { tone: 'danger', word: error ?? 'Ne répond pas' };
  if (error !== null) return { tone: 'danger', word: `${code}\u00a0: ${error}` };
  const tones: readonly Tone[] = ['neutral', 'neutral', 'ok', 'ok', 'warn', 'danger'];
  return { tone: tones[Math.floor(code / 100)] ?? 'neutral', word: String(code) };
}

export function bootOf({ starts, starts_bare: bare }: RepairCheck['boot']): Said {
  if (starts) return { tone: 'ok', word: 'Démarre' };
  if (bare === null) return { tone: 'danger', word: 'N’a pas pu être démarré' };
  return bare
    ? { tone: 'danger', word: 'Démarre sans ses plugins ni son thème seulement' }
    : { tone: 'danger', word: 'Ne démarre pas, même sans plugins ni thème' };
}

const holds: Record<Maintenance['holds'], Said> = {
  until: { tone: 'warn', word: 'En cours' },
  always: { tone: 'danger', word: 'Sans fin' },
  over: { tone: 'neutral', word: 'Dépassée, ignorée par WordPress' },
  unknown: { tone: 'warn', word: 'De durée inconnue' },
};
export const maintenanceOf = (maintenance: Maintenance | null): Said =>
  maintenance ? holds[maintenance.holds] : { tone: 'ok', word: 'Aucune' };

const isFine = ({ code, error }: HttpStatus) => code >= 200 && code < 400 && error === null;

/** What all of it comes to, in one sentence. */
export function verdictOf({ boot, pages, maintenance }: RepairCheck): { tone: 'ok' | 'warn' | 'danger'; text: string } {
  const isSeen = isFine(pages.home) && isFine(pages.login);
  if (boot.starts && isSeen)
    return { tone: 'ok', text: 'Ce site fonctionne\u00a0: WordPress démarre et ses visiteurs le voient.' };
  if (maintenance && maintenance.holds !== 'over') {
    return { tone: 'warn', text: 'Ce site est fermé par un fichier .maintenance.' };
  }
  if (boot.starts) return { tone: 'danger', text: 'WordPress démarre, mais ses visiteurs ne voient pas ce site.' };
  const { culprit } = boot.problem ?? {};
  const who = culprit && culprit.type !== 'core' ? `\u00a0: ${culprit.slug} l’en empêche` : '';
  return { tone: 'danger', text: `WordPress ne démarre pas${who}.` };
}

export const placeOf = ({ file, line }: Pick<LastFatal, 'file' | 'line'>): string | undefined =>
  file === null ? undefined : line === null ? file : `${file}:${line}`;
