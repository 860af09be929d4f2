import type { DownloadedBackup } from '@vigie/contracts/backups';
import type { PendingUpload } from '@vigie/files/pending-upload';
import { z } from 'zod';
import type { Outcome } from '../jobs/job-handler';
import type { BackupTask } from './backup-task';
import { changedOnHost, missingOnHost, damagedCopy, tooLarge } from './backup-failures';
import { streamArchive, runTogether } from './transfers';

/** Identifies the file that the bytes received so far belong to. */
const SourceFile = z.object({ size: z.int(), mtime: z.int() });
type SourceFile = z.infer<typeof SourceFile>;

/** Copies an archive from the host to the store, completely or not at all. */
export async function download(task: BackupTask): Promise<Outcome> {
  const { input, context } = task;
  if (!input.object) throw new Error('a download without an object in the store');
  const store = await task.openStore();
  const incoming = await store.resume(input.object.key);
  task.transfer.currentBytes = () => incoming.size;
  let source = SourceFile.safeParse(context.job.memo).data;
  try {
    const previous = source;
    source = await statSource(task);
    const { size: max } = input.object;
    if (max !== null && source.size > max) throw tooLarge(input.filename, source.size, max);
    if (!incoming.isWhole && !canResume(incoming, source, previous)) await incoming.restart();
    await store.requireRoom(Math.max(0, source.size - incoming.size));
    await context.saveCheckpoint({ ...source, ...task.transfer.best });
    const sha256 = await fetchWhole(task, incoming, source);
    await incoming.finish();
    const created = new Date(source.mtime * 1_000).toISOString();
    const result: DownloadedBackup = { local: input.filename, size: source.size, sha256, created };
    return { state: 'succeeded', result };
  } catch (error) {
    const willResume = task.willResume(error);
    if (willResume && source) await task.saveProgress(source);
    await (willResume ? incoming.suspend() : incoming.discard());
    throw error;
  }
}

async function statSource({ folder, input }: BackupTask): Promise<SourceFile> {
  const source = await folder.stat(input.filename);
  if (!source) throw missingOnHost(input.filename);
  return { size: source.size, mtime: source.mtime };
}

function canResume(incoming: PendingUpload, source: SourceFile, previous: SourceFile | undefined): boolean {
  return previous !== undefined && isSameFile(previous, source) && incoming.size <= source.size;
}

const isSameFile = (one: SourceFile, other: SourceFile) => one.size === other.size && one.mtime === other.mtime;

/** Starts over once if the hashes differ: the bytes received before may come from a file that was replaced. */
async function fetchWhole(task: BackupTask, incoming: PendingUpload, source: SourceFile): Promise<string> {
  const { filename } = task.input;
  for (;;) {
    const isFirstPiece = incoming.size === 0;
    const { local, remote } = await fetchOnce(task, incoming, source);
    if (!isSameFile(await statSource(task), source)) throw changedOnHost(filename);
    if (local === remote) return local;
    if (isFirstPiece || incoming.isWhole) throw damagedCopy(filename);
    await incoming.restart();
  }
}

async function fetchOnce(task: BackupTask, incoming: PendingUpload, { size }: SourceFile) {
  const { folder, input } = task;
  const from = incoming.size;
  const line = from > 0 ? `Reprise à ${from} octets sur ${size}.` : `Copie de ${input.filename}.`;
  task.report('Transfert', from, size, `${line} L’empreinte SHA-256 du serveur est comparée à celle de la copie.`);
  const take = (bytes: Buffer) => {
    if (incoming.size + bytes.length > size) throw changedOnHost(input.filename);
    task.report('Transfert', incoming.size + bytes.length, size);
    return incoming.add(bytes);
  };
  const [streamed, remote] = await runTogether(
    folder.signal,
    async (signal) =>
      from < size
        ? streamArchive(folder.withSignal(signal), input.filename, { confirmedBytes: () => incoming.size, take })
        : null,
    (signal) => folder.withSignal(signal).stat(input.filename, true),
  );
  if (!remote) throw missingOnHost(input.filename);
  if (incoming.size !== size) throw changedOnHost(input.filename);
  task.report('Vérification de l’empreinte', null, null);
  const local = streamed?.bytes === size ? streamed.sha256 : await incoming.hash();
  return { local, remote: remote.sha256 };
}
