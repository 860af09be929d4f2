import type { VerifiedBackup } from '@vigie/contracts/backups';
import type { Source } from '@vigie/wpress/source';
import { type ArchiveVerification, verifyArchive } from '@vigie/wpress/verify-archive';
import type { Outcome } from '../jobs/job-handler';
import type { BackupTask } from './backup-task';
import { RemoteSource } from './remote-source';
import { changedOnHost, missingInStore, missingOnHost } from './backup-failures';
import { streamArchive, runTogether } from './transfers';

/** Reads a whole archive, and compares it with its own header and checksums. */
export async function verify(task: BackupTask): Promise<Outcome> {
  const { location, filename } = task.input;
  const { size, ...verified } = await (location === 'local' ? verifyInStore(task) : verifyOnHost(task));
  const at = new Date().toISOString();
  return { state: 'succeeded', result: { at, filename, size, ...verified } satisfies VerifiedBackup };
}

type VerifiedArchive = ArchiveVerification & { size: number };

const check = (task: BackupTask, source: Source, signal: AbortSignal) => {
  const { size } = source;
  task.report('Lecture', 0, size, `Lecture de ${task.input.filename}.`);
  return verifyArchive(source, { signal, onProgress: (bytes) => task.report('Lecture', bytes, size) });
};

async function verifyInStore(task: BackupTask): Promise<VerifiedArchive> {
  const { object, filename } = task.input;
  if (!object) throw new Error('a verification without an object in the store');
  const reader = await (await task.openStore()).reader(object.key);
  if (!reader) throw missingInStore(filename);
  try {
    return { ...(await check(task, reader, task.context.signal)), size: reader.size };
  } finally {
    await reader.close();
  }
}

async function verifyOnHost(task: BackupTask): Promise<VerifiedArchive> {
  const { folder } = task;
  const { filename } = task.input;
  const before = await folder.stat(filename);
  if (!before) throw missingOnHost(filename);
  const { size, mtime } = before;
  const ending = new AbortController();
  const within = AbortSignal.any([folder.signal, ending.signal]);
  const source = new RemoteSource(size, (at, length) => folder.withSignal(within).read(filename, at, length), within);
  const take = (bytes: Buffer) => {
    if (source.received + bytes.length > size) throw changedOnHost(filename);
    return source.take(bytes);
  };
  const sink = { confirmedBytes: () => source.received, take };
  const [verified] = await runTogether(
    within,
    (signal) => check(task, source, signal),
    async (signal) => {
      await streamArchive(folder.withSignal(signal), filename, sink);
      if (source.received !== size) throw changedOnHost(filename);
    },
  ).finally(() => ending.abort());
  const after = await folder.stat(filename);
  if (after?.size !== size || after.mtime !== mtime) throw changedOnHost(filename);
  return { ...verified, size };
}
