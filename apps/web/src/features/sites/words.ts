import type { UpdateCheck, SiteState, SiteProblem } from '@vigie/contracts/inventory';
import type { HttpStatus, SiteItem, SiteStatus } from '@vigie/contracts/sites';
import type { SiteColumn } from '@vigie/contracts/site-views';
import { plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';
import type { Column } from './search';

type StatusLabel = { tone: Tone; word: string };

export const columnLabels: Record<Column | SiteColumn, string> = {
  name: 'Nom',
  url: 'URL',
  groups: 'Groupes',
  server: 'Serveur',
  status: 'Statut',
  http: 'HTTP',
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

/** "WordPress, 2 plugins, 1 thème"; undefined without updates. */
export function spellUpdates({ updates }: Pick<SiteItem, 'updates'>): string | undefined {
  if (!updates) return undefined;
  const { core, plugins, themes } = updates;
  const parts = [
    core > 0 ? 'WordPress' : '',
    plugins > 0 ? plural(plugins, 'plugin', 'plugins') : '',
    themes > 0 ? plural(themes, 'thème', 'thèmes') : '',
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** The reasons of a site's status; empty where all is well. */
export function reasonsOf(site: Pick<SiteItem, 'status' | 'ssh_error' | 'problem' | 'http' | 'updates'>): string[] {
  const { status, ssh_error: ssh, problem, http } = site;
  const updates = spellUpdates(site);
  const isBad = http !== null && (http.code === 0 || http.code >= 400);
  return [
    ssh ?? '',
    problem ? titleOf(problem) : '',
    isBad ? (http.code === 0 ? (http.error ?? 'Le site ne répond pas.') : `Le site répond ${http.code}.`) : '',
    updates === undefined ? '' : `À mettre à jour\u00a0: ${updates}.`,
    status === 'unknown' && !ssh ? 'Pas encore testé.' : '',
  ].filter(Boolean);
}

const culprits: Record<NonNullable<SiteProblem['culprit']>['type'], string> = {
  plugin: 'Le plugin',
  theme: 'Le thème',
  must_use: 'Le plugin indispensable',
  drop_in: 'Le drop-in',
  core: 'WordPress lui-même',
};

const problems: Record<SiteProblem['kind'], string> = {
  fatal: 'Une erreur PHP arrête ce site.',
  ended_early: 'Quelque chose arrête ce site pendant son démarrage.',
  timeout: 'Ce site met trop de temps à démarrer.',
  database: 'Ce site ne joint pas sa base de données.',
  not_wordpress: 'Il n’y a pas de WordPress dans ce dossier.',
  no_php: 'Aucun PHP utilisable n’a été trouvé sur cet hôte.',
  unreadable: 'Les fichiers de ce site ne peuvent pas être lus.',
};

/** Names the error that stops a site, and its culprit where it is known. */
export function titleOf({ kind, culprit }: Pick<SiteProblem, 'kind' | 'culprit'>): string {
  if (!culprit) return problems[kind];
  const name = culprit.type === 'core' ? culprits.core : `${culprits[culprit.type]} ${culprit.slug}`;
  const verbs: Partial<Record<SiteProblem['kind'], string>> = {
    fatal: 'provoque une erreur PHP',
    ended_early: 'arrête le démarrage du site',
    timeout: 'ralentit trop le démarrage du site',
  };
  return `${name} ${verbs[kind] ?? 'empêche le site de démarrer'}.`;
}

const staleMs = 48 * 3_600_000;

/** A failed or old check is never shown as a green "up to date". */
export function updateState(check: UpdateCheck | undefined, hasUpdate: boolean, now: Date): StatusLabel {
  if (hasUpdate) return { tone: 'warn', word: 'Mise à jour disponible' };
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
