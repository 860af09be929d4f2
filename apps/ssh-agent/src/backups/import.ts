import type { BackupPlaced } from '@vigie/contracts/backups';
import type { ObjectReader } from '@vigie/files/object-reader';
import { SshFailure } from '@vigie/ssh/failure';
import { uploadTo } from '@vigie/ssh/transfer';
import { placeArchive, prepareFolder, writeArchive } from '@vigie/wordpress/backups';
import { counted, isFull } from '../changes/send-package';
import type { Outcome } from '../jobs/job-handler';
import type { BackupTask } from './backup-task';
import { existsThere, goneHere, noRoomThere, notWhole } from './sentences';
import { goingOn } from './transfers';

type Part = { operation: string; name: string; size: number; sha256: string };

/** From the store to the host, whole under its name or not at all. */
export async function importArchive(task: BackupTask): Promise<Outcome> {
  const { input, running, folder } = task;
  const { filename: name, object } = input;
  if (!object || object.size === null || object.sha256 === null) throw new Error('what is imported is not known');
  const part: Part = { operation: running.job.id, name, size: object.size, sha256: object.sha256 };
  const store = await task.openStore();
  const reader = await store.reader(object.key);
  try {
    if (reader?.size !== part.size) throw goneHere(name);
    if (!(await isThere(task, part))) await sendWhole(task, reader, part);
  } catch (error) {
    if (!task.goesOn(error)) await task.clean((cleaning) => cleaning.drop(part.operation));
    throw error;
  } finally {
    await reader?.close();
  }
  const result: BackupPlaced = { filename: name, size: part.size, storage: await folder.storage() };
  return { state: 'succeeded', result };
}

/** The same one is not sent twice; another one is not touched. */
async function isThere({ folder }: BackupTask, { name, size, sha256 }: Part): Promise<boolean> {
  const seen = await folder.facts(name);
  if (!seen) return false;
  const known = seen.size === size ? await folder.facts(name, true) : undefined;
  if (known?.sha256 !== sha256) throw existsThere(name);
  return true;
}

async function sendWhole(task: BackupTask, reader: ObjectReader, part: Part): Promise<void> {
  const { folder } = task;
  // What was sent in pieces may be of pieces that do not belong together.
  for (const isLast of [false, true]) {
    await send(task, reader, part);
    task.tell('Vérification de l’empreinte', null, null);
    const verdict = await folder.use((host, place) => placeArchive(host, place, part, folder));
    if (verdict === 'placed') return;
    if (verdict === 'exists') throw existsThere(part.name);
    if (isLast) throw notWhole(part.name);
  }
}

async function send(task: BackupTask, reader: ObjectReader, part: Part): Promise<void> {
  const { folder } = task;
  let have = 0;
  const piece = () =>
    folder.use(async (host, place, connection) => {
      const room = await prepareFolder(host, place, part, folder);
      if (room.is === 'full') throw noRoomThere(room.needed, room.free);
      have = room.have;
      const line = have > 0 ? `Reprise à ${have} octets sur ${part.size}.` : `Envoi de ${part.name}.`;
      task.tell('Transfert', have, part.size, line);
      const from = have;
      const content = counted(reader.chunks(from, part.size), (bytes) => {
        task.tell('Transfert', from + bytes, part.size);
      });
      const { script, args } = writeArchive(place, part.operation, from);
      if (from < part.size) await uploadTo(connection, script, content, { args, signal: folder.signal });
    });
  try {
    await goingOn(piece, () => have);
  } catch (error) {
    if (error instanceof SshFailure && isFull(error)) throw noRoomThere(part.size, null);
    throw error;
  }
}
