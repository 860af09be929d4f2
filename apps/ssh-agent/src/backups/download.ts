import type { DownloadedBackup } from '@vigie/contracts/backups';
import type { Incoming } from '@vigie/files/incoming';
import { z } from 'zod';
import type { Outcome } from '../jobs/job-handler';
import type { BackupTask } from './backup-task';
import { changedThere, goneThere, notWhole, tooLarge } from './sentences';
import { pull, together } from './transfers';

/** What came belongs to the file that was there then. */
const Memo = z.object({ size: z.int(), mtime: z.int() });
type Memo = z.infer<typeof Memo>;

/** From the host to the store, whole or not at all. */
export async function download(task: BackupTask): Promise<Outcome> {
  const { input, running } = task;
  if (!input.object) throw new Error('a download has no place in the store');
  const store = await task.openStore();
  const incoming = await store.resume(input.object.key);
  task.growth.at = () => incoming.size;
  let seen = Memo.safeParse(running.job.memo).data;
  try {
    const before = seen;
    seen = await seenFile(task);
    const { size: max } = input.object;
    if (max !== null && seen.size > max) throw tooLarge(input.filename, seen.size, max);
    if (!incoming.isWhole && !goesOnFrom(incoming, seen, before)) await incoming.restart();
    await store.requireRoom(Math.max(0, seen.size - incoming.size));
    await running.remember({ ...seen, ...task.growth.reached });
    const sha256 = await fetchWhole(task, incoming, seen);
    await incoming.finish();
    const created = new Date(seen.mtime * 1_000).toISOString();
    const result: DownloadedBackup = { local: input.filename, size: seen.size, sha256, created };
    return { state: 'succeeded', result };
  } catch (error) {
    const goesOn = task.goesOn(error);
    if (goesOn && seen) await task.keepReached(seen);
    await (goesOn ? incoming.leave() : incoming.drop());
    throw error;
  }
}

async function seenFile({ folder, input }: BackupTask): Promise<Memo> {
  const seen = await folder.facts(input.filename);
  if (!seen) throw goneThere(input.filename);
  return { size: seen.size, mtime: seen.mtime };
}

function goesOnFrom(incoming: Incoming, seen: Memo, before: Memo | undefined): boolean {
  return before !== undefined && isSame(before, seen) && incoming.size <= seen.size;
}

const isSame = (one: Memo, other: Memo) => one.size === other.size && one.mtime === other.mtime;

/** The file may have been replaced, or a piece of it have come from a disk that is failing. */
async function fetchWhole(task: BackupTask, incoming: Incoming, seen: Memo): Promise<string> {
  const { filename } = task.input;
  for (;;) {
    const isFirstPiece = incoming.size === 0;
    const { here, there } = await fetchOnce(task, incoming, seen);
    if (!isSame(await seenFile(task), seen)) throw changedThere(filename);
    if (here === there) return here;
    if (isFirstPiece || incoming.isWhole) throw notWhole(filename);
    await incoming.restart();
  }
}

async function fetchOnce(task: BackupTask, incoming: Incoming, { size }: Memo) {
  const { folder, input } = task;
  const from = incoming.size;
  const line = from > 0 ? `Reprise à ${from} octets sur ${size}.` : `Copie de ${input.filename}.`;
  task.tell('Transfert', from, size, `${line} L’empreinte SHA-256 du serveur est comparée à celle de la copie.`);
  const take = (bytes: Buffer) => {
    if (incoming.size + bytes.length > size) throw changedThere(input.filename);
    task.tell('Transfert', incoming.size + bytes.length, size);
    return incoming.add(bytes);
  };
  const [went, hashed] = await together(
    folder.signal,
    async (signal) =>
      from < size ? pull(folder.until(signal), input.filename, { at: () => incoming.size, take }) : null,
    (signal) => folder.until(signal).facts(input.filename, true),
  );
  if (!hashed) throw goneThere(input.filename);
  if (incoming.size !== size) throw changedThere(input.filename);
  task.tell('Vérification de l’empreinte', null, null);
  const here = went?.bytes === size ? went.sha256 : await incoming.hash();
  return { here, there: hashed.sha256 };
}
