import type { LastFatal, Maintenance, RepairCheck } from '@vigie/contracts/site-repairs';
import type { HttpStatus } from '@vigie/contracts/sites';
import type { Tone } from '../../ui/Status';

type StatusLabel = { tone: Tone; word: string };

export function pageStatus({ code, error }: HttpStatus): StatusLabel {
  if (code === 0) return { tone: 'danger', word: error ?? 'Ne répond pas' };
  if (error !== null) return { tone: 'danger', word: `${code}\u00a0: ${error}` };
  const tones: readonly Tone[] = ['neutral', 'neutral', 'ok', 'ok', 'warn', 'danger'];
  return { tone: tones[Math.floor(code / 100)] ?? 'neutral', word: String(code) };
}

export function bootStatus({ starts, starts_bare: startsBare }: RepairCheck['boot']): StatusLabel {
  if (starts) return { tone: 'ok', word: 'Démarre' };
  if (startsBare === null) return { tone: 'danger', word: 'N’a pas pu être démarré' };
  return startsBare
    ? { tone: 'danger', word: 'Ne démarre que sans ses plugins ni son thème' }
    : { tone: 'danger', word: 'Ne démarre pas, même sans plugins ni thème' };
}

const maintenanceStates: Record<Maintenance['holds'], StatusLabel> = {
  until: { tone: 'warn', word: 'En cours' },
  always: { tone: 'danger', word: 'Sans fin' },
  over: { tone: 'neutral', word: 'Dépassée, ignorée par WordPress' },
  unknown: { tone: 'warn', word: 'De durée inconnue' },
};
export const maintenanceStatus = (maintenance: Maintenance | null): StatusLabel =>
  maintenance ? maintenanceStates[maintenance.holds] : { tone: 'ok', word: 'Aucune' };

const isFine = ({ code, error }: HttpStatus) => code >= 200 && code < 400 && error === null;

/** Sums up the findings in one sentence. */
export function verdictOf({ boot, pages, maintenance }: RepairCheck): { tone: 'ok' | 'warn' | 'danger'; text: string } {
  const isVisible = isFine(pages.home) && isFine(pages.login);
  if (boot.starts && isVisible)
    return { tone: 'ok', text: 'Ce site fonctionne\u00a0: WordPress démarre et ses visiteurs le voient.' };
  if (maintenance && maintenance.holds !== 'over') {
    return { tone: 'warn', text: 'Ce site est fermé par un fichier .maintenance.' };
  }
  if (boot.starts) return { tone: 'danger', text: 'WordPress démarre, mais ses visiteurs ne voient pas ce site.' };
  const { culprit } = boot.problem ?? {};
  const culpritText = culprit && culprit.type !== 'core' ? `\u00a0: ${culprit.slug} l’en empêche` : '';
  return { tone: 'danger', text: `WordPress ne démarre pas${culpritText}.` };
}

export const locationOf = ({ file, line }: Pick<LastFatal, 'file' | 'line'>): string | undefined =>
  file === null ? undefined : line === null ? file : `${file}:${line}`;
