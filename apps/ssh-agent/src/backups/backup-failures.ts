import { backupCodes } from '@vigie/contracts/backups';
import { AppError } from '@vigie/contracts/errors';
import type { JobError } from '@vigie/contracts/jobs';
import type { RestoreResult } from '@vigie/contracts/restores';
import { CredentialUnreadable } from '../credentials/credential';
import { failureOf } from '../sites/site-host';

/** Why a job on a backup fails, in words for its user. */
export class BackupFailure extends Error {
  constructor(readonly error: JobError) {
    super(error.message);
    this.name = 'BackupFailure';
  }
}

const fail = (code: string, message: string, remedy: string) => new BackupFailure({ message, remedy, code });
const quoted = (name: string) => `«\u00a0${name}\u00a0»`;
export const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1).replace('.', ',')}\u00a0Mo`;

export const missingOnHost = (name: string) =>
  fail(
    backupCodes.gone,
    `La sauvegarde ${quoted(name)} n’est plus sur le serveur du site.`,
    'Actualisez la liste des sauvegardes.',
  );

export const missingInStore = (name: string) =>
  fail(
    backupCodes.gone,
    `La sauvegarde ${quoted(name)} n’est plus dans le stockage de Vigie.`,
    'Actualisez la liste des sauvegardes.',
  );

export const changedOnHost = (name: string) =>
  fail(
    backupCodes.interrupted,
    `La sauvegarde ${quoted(name)} a été modifiée pendant sa lecture\u00a0: rien n’en a été gardé.`,
    'Attendez que plus rien n’écrive ce fichier, puis recommencez.',
  );

export const damagedCopy = (name: string) =>
  fail(
    backupCodes.damaged,
    `La sauvegarde ${quoted(name)} n’est pas arrivée entière\u00a0: son empreinte SHA-256 n’est pas la bonne, et rien n’en a été gardé.`,
    'Recommencez\u00a0; si cela se répète, vérifiez le disque du serveur et celui de Vigie.',
  );

export const tooLarge = (name: string, size: number, max: number) =>
  fail(
    backupCodes.noRoom,
    `La sauvegarde ${quoted(name)} pèse ${megabytes(size)}, et il n’y a de place que pour ${megabytes(max)} dans le stockage de Vigie.`,
    'Supprimez des sauvegardes locales, puis recommencez.',
  );

export const noRoomOnHost = (needed: number, free: number | null) =>
  fail(
    backupCodes.noRoom,
    free === null
      ? 'Le disque du site s’est rempli, ou sa limite a été atteinte, pendant le transfert\u00a0: rien n’en a été gardé.'
      : `Il faut ${megabytes(needed)} sur le disque du site, et il n’en reste que ${megabytes(free)}\u00a0: rien n’a été envoyé.`,
    'Libérez de la place sur le serveur du site, puis recommencez.',
  );

export const tooSlow = () =>
  fail(
    backupCodes.interrupted,
    'Le transfert a été arrêté\u00a0: moins de 1\u00a0Mo est passé en dix minutes.',
    'Vérifiez le réseau entre Vigie et le serveur, puis recommencez.',
  );

export const existsOnHost = (name: string) =>
  fail(
    backupCodes.exists,
    `Une autre sauvegarde s’appelle déjà ${quoted(name)} sur le serveur du site\u00a0: elle n’a pas été touchée.`,
    'Supprimez-la si elle ne sert plus, puis recommencez.',
  );

export const interrupted = () =>
  fail(
    backupCodes.interrupted,
    'La sauvegarde a été interrompue sur le serveur, et rien n’en reste.',
    'Vérifiez que le serveur répond et qu’il a assez de mémoire, puis relancez la sauvegarde.',
  );

export const notRecovered = (safety: string | undefined): JobError => ({
  message:
    'La restauration a été interrompue, et le site n’a pas pu être remis en ordre : il est peut-être en maintenance.',
  remedy: `Vérifiez le disque et la base de données du serveur, puis relancez la restauration : elle commence par remettre le site en ordre.${safety === undefined ? '' : ` Le site d’avant est dans ${safety}.`}`,
  code: backupCodes.interrupted,
});

export const incompleteRestore = ({ filename, safety }: RestoreResult, lost: readonly string[]): JobError => ({
  message: `Le site est restauré depuis ${filename}, mais il lui manque quelque chose\u00a0: ${lost.join(' ')}`,
  remedy: `Recréez ce qui manque, ou revenez à l’état d’avant, gardé dans ${safety.filename}.`,
  code: backupCodes.incomplete,
});

/** Codes of the host for an archive that must not be restored. */
const unusableCodes = ['damaged', 'no_archive', 'dangerous_path', 'collision', 'too_many'];

/** The code of the API for a code of the host. */
export function publicCode(code: string): string {
  if (unusableCodes.includes(code)) return backupCodes.damaged;
  return code === 'unavailable' ? backupCodes.noRoom : code;
}

/** Undefined for an internal error, and for credentials that do not open: only the worker knows what started before. */
export function errorOfBackup(error: unknown): JobError | undefined {
  if (error instanceof CredentialUnreadable) return undefined;
  if (error instanceof BackupFailure) return error.error;
  if (!(error instanceof AppError)) return failureOf(error);
  const { message, detail } = error;
  const jobError = typeof detail === 'string' ? undefined : detail;
  const code = publicCode(jobError?.code ?? error.code);
  return { message, code, ...(jobError?.remedy !== undefined && { remedy: jobError.remedy }) };
}
