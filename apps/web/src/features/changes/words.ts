import { changeCodes } from '@vigie/contracts/change-codes';
import type { Item, ItemKind, Plan } from '@vigie/contracts/changes';
import type { ErrorDetail } from '@vigie/contracts/errors';
import type { Extension } from '@vigie/contracts/inventory';
import type { ChangeKind, JobError, JobItem } from '@vigie/contracts/jobs';
import type { Site } from '@vigie/contracts/sites';
import { isApiError, joinOutput } from '../../kit/query/api-error';
import { failureReason } from '../../kit/query/failures';
import type { EndWords } from '../../kit/job/useWork';
import { isUndone, undoneLabel } from '../../kit/job/words';
import type { Tone } from '../../ui/Status';

type StatusLabel = { tone: Tone; word: string };

export const kindNames: Readonly<Record<ItemKind, string>> = { core: 'WordPress', plugin: 'Plugin', theme: 'Thème' };

export const pluginKindNames: Record<Extension['kind'], string | undefined> = {
  regular: undefined,
  must_use: 'Indispensable',
  drop_in: 'Drop-in',
};

type Activity = Pick<Extension, 'kind' | 'status' | 'is_network_active'>;

export function activityLabel({ kind, status, is_network_active: isNetwork }: Activity): StatusLabel {
  if (kind !== 'regular') return { tone: 'ok', word: 'Toujours actif' };
  if (isNetwork) return { tone: 'ok', word: 'Actif sur le réseau' };
  return status === 'active' ? { tone: 'ok', word: 'Actif' } : { tone: 'neutral', word: 'Inactif' };
}

export const unappliedChanges = { undone: 'appliquer', lost: 'Ce que vous avez choisi ici sera perdu.' };

export const licenceMissing = 'Mise à jour indisponible: licence requise';

/** One line: the server's message, then the output of the host. */
export const joinError = (error: JobError): string =>
  error.code === changeCodes.licence ? licenceMissing : joinOutput(error);

/** Plugin shops report a missing licence in many words; this applies only to errors without a code. */
const licencePattern = /licen[cs]|subscription|expired|unauthorized|forbidden|\b40[13]\b|download failed|abonnement/i;

export const isLicenceError = (error: Pick<JobError, 'message' | 'stderr' | 'stdout' | 'code'>): boolean =>
  error.code === changeCodes.licence || (error.code === undefined && licencePattern.test(joinOutput(error)));

/** The error of an update on the screen of all plugins. */
export const formatReceivedError = (error: JobError | null): string =>
  error === null ? 'Échec de la mise à jour' : isLicenceError(error) ? licenceMissing : joinOutput(error);

const errorDetail = (error: unknown): ErrorDetail | undefined => (isApiError(error) ? error.detail : undefined);

export function refusalMessage(error: unknown, fallback: string): string {
  const detail = errorDetail(error);
  return typeof detail === 'object' && detail.code === changeCodes.licence
    ? licenceMissing
    : failureReason(error, fallback);
}

export function receivedRefusalMessage(error: unknown, fallback: string): string {
  const detail = errorDetail(error);
  const received = typeof detail === 'string' ? { message: detail } : detail;
  return received && isLicenceError(received) ? licenceMissing : refusalMessage(error, fallback);
}

const outcomes: Readonly<Record<string, StatusLabel>> = {
  [changeCodes.interrupted]: { tone: 'warn', word: 'Interrompu\u00a0: la version précédente est revenue.' },
  [changeCodes.notRolledBack]: { tone: 'danger', word: 'La version précédente n’a pas pu revenir.' },
  [changeCodes.licence]: { tone: 'licence', word: 'Licence requise.' },
};

const failures: Readonly<Record<string, string>> = {
  'changes.update': 'Échec de la mise à jour.',
  'changes.install': 'Échec de l’installation.',
  'changes.activate': "Échec de l'activation.",
  'changes.deactivate': 'Échec de la désactivation.',
  'changes.restore': 'Échec du retour à la version précédente.',
} satisfies Record<ChangeKind, string>;

type FailedChange = { kind: string; item?: Pick<Item, 'kind'> | null; about?: string | null };

/** `about` is the archive of an installation. */
export function failureText({ kind, item, about = null }: FailedChange): string {
  if (kind === 'changes.update' && item?.kind === 'core') return 'Échec de la mise à jour du core.';
  if (kind === 'changes.install' && about !== null) return `Échec de l'installation depuis ${about}.`;
  return failures[kind] ?? 'Échec.';
}

/** The beginning of the message of a failed change; the reason follows. */
export function outcomeLabel(job: Pick<JobItem, 'kind' | 'state' | 'error' | 'item' | 'about'>): StatusLabel {
  const { state, error } = job;
  if (isUndone(job)) return { ...undoneLabel, word: `${undoneLabel.word}.` };
  const outcome = error?.code === undefined ? undefined : outcomes[error.code];
  if (outcome) return outcome;
  if (state === 'unknown') return { tone: 'warn', word: 'Issue inconnue.' };
  return { tone: 'danger', word: failureText(job) };
}

const runningTexts: Readonly<Record<string, string>> = {
  'changes.update': 'Mise à jour en cours',
  'changes.install': 'Installation en cours',
  'changes.activate': 'Activation en cours',
  'changes.deactivate': 'Désactivation en cours',
  'changes.restore': 'Retour en cours',
} satisfies Record<ChangeKind, string>;

export const stepText = ({ kind, state }: Pick<JobItem, 'kind' | 'state'>): string =>
  state === 'queued' ? 'En file' : (runningTexts[kind] ?? 'En cours');

const successTexts: Readonly<Record<string, string>> = {
  'changes.update': 'Mise à jour réussie',
  'changes.install': 'Installation réussie',
  'changes.activate': 'Activation réussie',
  'changes.deactivate': 'Désactivation réussie',
  'changes.restore': 'Version précédente rétablie',
} satisfies Record<ChangeKind, string>;

const successMessage = ({ kind, about }: Pick<JobItem, 'kind' | 'about'>): string =>
  [successTexts[kind] ?? 'Réussi', about].filter(Boolean).join('\u00a0: ');

/** The toasts at the end of a change. */
export const changeEnd: EndWords = {
  succeeded: successMessage,
  cancelled: ({ about }) => `Annulé\u00a0: ${about ?? ''}`,
  failed: (job, error) => [outcomeLabel(job).word, error && joinError(error)].filter(Boolean).join(' '),
};

/** What a rollback does to the database, the loss first. */
export const databaseRollbackText = ({ has_tables: hasTables }: NonNullable<Site['previous']>) =>
  hasTables
    ? {
        loss: 'La base de données revient aussi à ce jour-là',
        rest: '\u00a0: ce qui a été écrit sur le site depuis (articles, commentaires, commandes) disparaît. Vigie garde une copie de celle d’aujourd’hui.',
      }
    : {
        loss: null,
        rest: 'La base de données ne change pas\u00a0: les modifications que la mise à jour y a faites restent.',
      };

/** "1.2.0 → 1.3.0"; an unknown version is left out. */
export const formatVersions = (from: string | null, to: string | null): string =>
  [from, to].filter(Boolean).join(' → ') || '—';

/** "93 % de /var sur web-03". */
export function formatDisk({ server_name: serverName, disk }: Plan['disks'][number]): string {
  const [, share, mount] = /^(\d+)%:(.+)$/.exec(disk) ?? [];
  return share === undefined ? `${serverName}\u00a0: ${disk}` : `${share}\u00a0% de ${mount} sur ${serverName}`;
}
