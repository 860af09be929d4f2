import type { UpdateCheck, SiteState, SiteProblem } from '@vigie/contracts/inventory';
import type { HttpStatus, SiteItem, SiteStatus, SiteWork } from '@vigie/contracts/sites';
import type { SiteColumn } from '@vigie/contracts/site-views';
import { jobName } from '../../kit/job/kinds';
import type { Tone } from '../../ui/Status';
import type { Column } from './search';

type StatusLabel = { tone: Tone; word: string };

export const columnLabels: Record<Column | SiteColumn, string> = {
  attention: 'À traiter d’abord',
  name: 'Nom',
  url: 'URL',
  groups: 'Groupes',
  server: 'Serveur',
  status: 'Statut',
  http: 'HTTP',
  uptime: 'Disponibilité',
  updates: 'Mises à jour',
  wp_version: 'WordPress',
  php_version: 'PHP',
  backup: 'Sauvegarde',
  read: 'Lecture',
};

const oldBackupMs = 7 * 86_400_000;

/** A backup older than a week is shown as a warning. */
export const isOldBackup = (at: string, now: Date): boolean => now.getTime() - Date.parse(at) > oldBackupMs;

export const statuses: Record<SiteStatus, StatusLabel> = {
  ok: { tone: 'ok', word: 'OK' },
  warning: { tone: 'warn', word: 'Attention' },
  error: { tone: 'danger', word: 'Erreur' },
  unknown: { tone: 'neutral', word: 'N/A' },
};

/** The label of an HTTP status; an unknown code is neutral. */
export function httpLabel(http: HttpStatus | null): StatusLabel & { reason: string | undefined } {
  if (!http) return { tone: 'neutral', word: 'N/A', reason: 'Pas encore visité.' };
  const { code, error } = http;
  if (code === 0) return { tone: 'neutral', word: 'N/A', reason: error ?? undefined };
  const tones: readonly Tone[] = ['neutral', 'neutral', 'ok', 'ok', 'warn', 'danger'];
  return { tone: tones[Math.floor(code / 100)] ?? 'neutral', word: String(code), reason: error ?? undefined };
}

export const countUpdates = ({ updates }: Pick<SiteItem, 'updates'>): number | null =>
  updates && updates.core + updates.plugins + updates.themes;

/** Why WordPress of a site does not start, in a few words. */
const problemAlarms: Record<SiteProblem['kind'], string> = {
  fatal: 'Ne démarre pas',
  ended_early: 'Ne démarre pas',
  timeout: 'Démarre trop lentement',
  database: 'Base injoignable',
  not_wordpress: 'Sans WordPress',
  no_php: 'Sans PHP',
  unreadable: 'Fichiers illisibles',
};

/** What somebody must see to, in a few words; undefined unless the site is in error. */
export function spellAlarm({
  status,
  ssh_error: sshError,
  problem,
  http,
}: Pick<SiteItem, 'status' | 'ssh_error' | 'problem' | 'http'>): string | undefined {
  if (status !== 'error') return undefined;
  if (sshError !== null) return 'Connexion en échec';
  if (problem) return problemAlarms[problem.kind];
  return http?.code === 0 ? 'Ne répond pas' : String(http?.code);
}

/** "Mise à jour… 2 sur 5", "Sauvegarde… Copie des fichiers" or "En file". */
export function spellWork({ kind, state, step, open, done }: SiteWork): string {
  if (state === 'queued' && done === 0) return 'En file';
  const name = jobName({ kind, about: null, site_name: null, server_name: null });
  const total = open + done;
  return [`${name}…`, total > 1 ? `${done + 1} sur ${total}` : (step ?? '')].join(' ').trim();
}

/** The host answers, and the site does not: its repairs may help. */
export const isBroken = ({ status, ssh_error: sshError }: Pick<SiteItem, 'status' | 'ssh_error'>): boolean =>
  status === 'error' && sshError === null;

const staleMs = 48 * 3_600_000;

/** A failed or old check is never shown as a green "up to date". */
export function updateState(check: UpdateCheck | undefined, hasUpdate: boolean, now: Date): StatusLabel {
  if (hasUpdate) return { tone: 'update', word: 'Mise à jour disponible' };
  if (check && check.error !== null) return { tone: 'warn', word: 'Vérification en échec' };
  if (!check || check.checked_at === null) return { tone: 'neutral', word: 'Jamais vérifié' };
  const isOld = now.getTime() - Date.parse(check.checked_at) > staleMs;
  return { tone: isOld ? 'neutral' : 'ok', word: 'À jour' };
}

export const bootWords: Record<SiteState['needs_boot'][number], string> = {
  multisite: 'réseau de sites',
  object_cache: 'cache d’objets',
  computed_config: 'configuration calculée',
  database_unreachable: 'base de données injoignable',
  unknown_drop_in: 'drop-in inconnu',
  unreadable: 'fichiers illisibles',
};

const databases = { mysql: 'MySQL', mariadb: 'MariaDB', sqlite: 'SQLite', other: 'Autre' } as const;
export const spellDatabase = ({ kind, version }: NonNullable<SiteState['database']>): string =>
  `${databases[kind]} ${version}`.trim();
