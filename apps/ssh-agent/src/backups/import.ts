import type { ImportedBackup } from '@vigie/contracts/backups';
import type { ObjectReader } from '@vigie/files/object-reader';
import { SshFailure } from '@vigie/ssh/failure';
import { uploadTo } from '@vigie/ssh/transfer';
import { placeArchive, prepareFolder, writeArchive } from '@vigie/wordpress/backups';
import { RetryLater, type Outcome } from '../jobs/job-handler';
import { countBytes, isDiskFull } from '../operations/sent-bytes';
import type { BackupTask } from './backup-task';
import { existsOnHost, missingInStore, noRoomOnHost, damagedCopy } from './backup-failures';
import { keepTransferring } from './transfers';

type Part = { operation: string; name: string; size: number; sha256: string; mtime?: number };

/** Copies an archive from the store to the host, completely under its name or not at all. */
export async function importArchive(task: BackupTask): Promise<Outcome> {
  const { input, context, folder } = task;
  const { filename: name, object } = input;
  if (!object || object.size === null || object.sha256 === null)
    throw new Error('an import without an object in the store');
  const { size, sha256, made_at: madeAt } = object;
  const mtime = madeAt ? Math.floor(Date.parse(madeAt) / 1_000) : undefined;
  const part: Part = { operation: context.job.id, name, size, sha256, ...(mtime !== undefined && { mtime }) };
  const store = await task.openStore();
  const reader = await store.reader(object.key);
  let hasSent = false;
  try {
    if (reader?.size !== part.size) throw missingInStore(name);
    if (!(await isAlreadyThere(task, part))) {
      hasSent = true;
      await sendWhole(task, reader, part);
    }
  } catch (error) {
    if (!task.willResume(error)) await task.cleanUp((cleanFolder) => cleanFolder.removePart(part.operation));
    else if (hasSent) await task.saveProgress();
    // The next worker continues from the bytes that were sent, or removes them.
    throw error instanceof RetryLater && hasSent ? new RetryLater(error.waitMs, error.message, true) : error;
  } finally {
    await reader?.close();
  }
  const result: ImportedBackup = { filename: name, size: part.size, storage: await folder.storage() };
  return { state: 'succeeded', result };
}

/** The same archive is not sent twice; another one of the same name is not touched. */
async function isAlreadyThere({ folder }: BackupTask, { name, size, sha256 }: Part): Promise<boolean> {
  const existing = await folder.stat(name);
  if (!existing) return false;
  const hashed = existing.size === size ? await folder.stat(name, true) : undefined;
  if (hashed?.sha256 !== sha256) throw existsOnHost(name);
  return true;
}

async function sendWhole(task: BackupTask, reader: ObjectReader, part: Part): Promise<void> {
  const { folder } = task;
  // A file sent in pieces may mix two versions: it is sent once more from the beginning.
  for (const isLast of [false, true]) {
    await send(task, reader, part);
    task.report('Vérification de l’empreinte', null, null);
    const verdict = await folder.use((host, location) => placeArchive(host, location, part, folder));
    if (verdict === 'placed') return;
    if (verdict === 'exists') throw existsOnHost(part.name);
    if (isLast) throw damagedCopy(part.name);
  }
}

async function send(task: BackupTask, reader: ObjectReader, part: Part): Promise<void> {
  let [have, sent, moved] = [0, 0, 0];
  // Bytes on their way count as progress once: a later claim has to come further than that.
  task.transfer.currentBytes = () => sent;
  const piece = (signal: AbortSignal) => {
    const folder = task.folder.withSignal(signal);
    return folder.use(async (host, location, connection) => {
      const room = await prepareFolder(host, location, part, folder);
      if (room.is === 'full') throw noRoomOnHost(room.needed, room.free);
      have = room.have;
      sent = have;
      const line = have > 0 ? `Reprise à ${have} octets sur ${part.size}.` : `Envoi de ${part.name}.`;
      task.report('Transfert', have, part.size, line);
      const from = have;
      const before = moved;
      const content = countBytes(reader.chunks(from, part.size), (bytes) => {
        moved = before + bytes;
        sent = from + bytes;
        task.report('Transfert', from + bytes, part.size);
      });
      const { script, args } = writeArchive(location, part.operation, from);
      if (from < part.size) await uploadTo(connection, script, content, { args, signal });
    });
  };
  try {
    await keepTransferring(piece, { confirmedBytes: () => have, movedBytes: () => moved, signal: task.folder.signal });
  } catch (error) {
    if (error instanceof SshFailure && isDiskFull(error)) throw noRoomOnHost(part.size, null);
    throw error;
  }
}
