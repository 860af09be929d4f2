import type { ArchiveDifference, ArchiveEntry, BackupLocation, Verification } from '@vigie/contracts/backups';
import type { BackupKind, JobItem } from '@vigie/contracts/jobs';
import { plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';

const oneDecimal = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const mega = 1024 * 1024;

/** Backups are shown in megabytes. */
export const formatMegabytes = (bytes: number): string => `${oneDecimal.format(bytes / mega)}\u00a0Mo`;

/** Entries of a backup may be small, so their unit varies. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes}\u00a0o`;
  return bytes < mega ? `${oneDecimal.format(bytes / 1024)}\u00a0Ko` : formatMegabytes(bytes);
}

export const locationParams: Readonly<Record<BackupLocation, 'remote' | 'local'>> = {
  Distant: 'remote',
  Local: 'local',
};

const verifiedWords: Readonly<Record<Verification['by'], string>> = {
  format: 'Vérifiée',
  vigie: 'Vérifiée',
  structure: 'Structure vérifiée',
};
export const verifiedWord = ({ by }: Verification): string => verifiedWords[by];

export const verifiedHint = ({ by, entries }: Verification): string =>
  by === 'structure'
    ? `${plural(entries, 'entrée', 'entrées')}. Cette archive ne contient pas de sommes de contrôle\u00a0: sa structure seule a pu être vérifiée.`
    : `${plural(entries, 'entrée', 'entrées')}, égales à leurs sommes de contrôle.`;

/** These sentences are quoted from the specification. */
const failures: Readonly<Record<string, string>> = {
  'backups.create': 'Échec du backup.',
  'backups.download': 'Échec du téléchargement.',
  'backups.import': "Échec de l'import.",
  'backups.verify': 'Échec de la vérification.',
  'backups.restore': 'Échec de la restauration.',
} satisfies Record<BackupKind, string>;
export const failureText = (kind: string): string => failures[kind] ?? 'Échec.';
export const listFailed = 'Impossible de lister les sauvegardes.';
export const uploadFailed = 'Échec du téléversement.';
export const noneChosen = 'Choisissez un backup local.';
export const notWpress = 'Choisissez un fichier .wpress à téléverser.';

export function outcomeLabel({ kind, state, error }: Pick<JobItem, 'kind' | 'state' | 'error'>): {
  tone: 'warn' | 'danger';
  word: string;
} {
  if (state === 'unknown') return { tone: 'warn', word: 'Issue inconnue.' };
  return { tone: error?.code === 'exists' ? 'warn' : 'danger', word: failureText(kind) };
}

const runningTexts: Readonly<Record<string, string>> = {
  'backups.create': 'Sauvegarde en cours',
  'backups.download': 'Téléchargement en cours',
  'backups.import': 'Import en cours',
  'backups.verify': 'Vérification en cours',
  'backups.restore': 'Restauration en cours',
} satisfies Record<BackupKind, string>;
export const stepText = ({ kind, state }: Pick<JobItem, 'kind' | 'state'>): string =>
  state === 'queued' ? 'En file' : (runningTexts[kind] ?? 'En cours');

const nouns: Readonly<Record<string, string>> = {
  'backups.create': 'la sauvegarde',
  'backups.download': 'le téléchargement',
  'backups.import': 'l’import',
  'backups.verify': 'la vérification',
  'backups.restore': 'la restauration',
} satisfies Record<BackupKind, string>;
/** "l’import de boutique.wpress". */
export const jobName = ({ kind, about }: Pick<JobItem, 'kind' | 'about'>): string =>
  [nouns[kind] ?? 'la tâche', kind !== 'backups.create' && about].filter(Boolean).join(' de ');

const differenceLabels: Readonly<Record<ArchiveDifference['is'], { tone: Tone; word: string }>> = {
  added: { tone: 'ok', word: 'Ajouté' },
  removed: { tone: 'danger', word: 'Retiré' },
  changed: { tone: 'edited', word: 'Modifié' },
  unknown: { tone: 'neutral', word: 'Non comparé' },
};
export const differenceLabel = ({ is }: Pick<ArchiveDifference, 'is'>) => differenceLabels[is];

/** Tables are listed inside the database dump, as if it were a folder. */
export const databaseDump = 'database.sql';

export const differenceName = ({ kind, path }: Pick<ArchiveDifference, 'kind' | 'path'>): string =>
  kind === 'table' ? `Table ${path.slice(databaseDump.length + 1)}` : path;

/** "12,0 Ko → 14,3 Ko", or one size for an entry that only one archive holds. */
export const formatSizes = ({ before, after }: Pick<ArchiveDifference, 'before' | 'after'>): string =>
  [before, after].flatMap((size) => (size === null ? [] : formatBytes(size))).join(' → ');

export function describeEntry({ kind, size, count }: Pick<ArchiveEntry, 'kind' | 'size' | 'count'>): string {
  if (count === null) return formatBytes(size);
  const counted = kind === 'table' ? plural(count, 'ligne', 'lignes') : plural(count, 'fichier', 'fichiers');
  return `${counted} · ${formatBytes(size)}`;
}

/** The parent folders of a path, the root first. */
export const parentFolders = (path: string): { name: string; path: string }[] =>
  path === '' ? [] : path.split('/').map((name, index, parts) => ({ name, path: parts.slice(0, index + 1).join('/') }));
