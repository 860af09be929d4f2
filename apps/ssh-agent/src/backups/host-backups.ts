import { isUsableName, type listHostBackups, type removeBackup } from '@vigie/contracts/backups';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { appErrorOfJob } from '@vigie/contracts/job-errors';
import { cleanText } from '@vigie/wordpress/clean';
import type { Connections } from '../connections';
import { failureOf } from '../sites/site-host';
import { BackupFolder } from './backup-folder';

/** Shorter than the timeout of the caller. */
const maxMs = 18_000;

/** Not the class itself, whose import needs the environment of an agent. */
type ConnectionPool = Pick<Connections, 'use'>;

export async function readHostBackups(
  connections: ConnectionPool,
  input: Input<typeof listHostBackups>,
): Promise<Output<typeof listHostBackups>> {
  const { folder, files, free } = await inBackupFolder(connections, input, (site) => site.list());
  const items = files.map(({ name, ...file }) => ({
    ...file,
    filename: cleanText(name, 255),
    is_usable: isUsableName(name),
  }));
  return { folder, items, free };
}

export async function removeHostBackup(
  connections: ConnectionPool,
  { filename, ...input }: Input<typeof removeBackup>,
) {
  const wasThere = await inBackupFolder(connections, input, (site) => site.remove(filename));
  if (!wasThere) throw new AppError('not_found', 'Cette sauvegarde n’est plus sur le serveur du site.');
  return {};
}

async function inBackupFolder<T>(
  connections: ConnectionPool,
  { access, site, content }: Input<typeof listHostBackups>,
  work: (folder: BackupFolder) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(maxMs);
  const onHost: ConstructorParameters<typeof BackupFolder>[0] = (run, signal) =>
    connections.use(access, { signal, work: run });
  try {
    return await work(new BackupFolder(onHost, { site, content }, timeout));
  } catch (error) {
    if (timeout.aborted) throw new AppError('remote_too_slow', 'Le serveur du site n’a pas répondu à temps.');
    const failure = failureOf(error);
    throw failure ? appErrorOfJob(failure) : error;
  }
}
