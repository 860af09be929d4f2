import type { VerifiedBackup } from '@vigie/contracts/backups';
import type { Source } from '@vigie/wpress/source';
import { type Verified, verifyArchive } from '@vigie/wpress/verify-archive';
import type { Outcome } from '../jobs/job-handler';
import type { BackupTask } from './backup-task';
import { RemoteSource } from './remote-source';
import { changedThere, goneHere, goneThere } from './sentences';
import { pull, together } from './transfers';

/** Reads all of an archive against what it says of itself. */
export async function verify(task: BackupTask): Promise<Outcome> {
  const { location, filename } = task.input;
  const { size, ...verified } = await (location === 'local' ? verifyHere(task) : verifyThere(task));
  const at = new Date().toISOString();
  return { state: 'succeeded', result: { at, filename, size, ...verified } satisfies VerifiedBackup };
}

type Whole = Verified & { size: number };

const check = (task: BackupTask, source: Source, signal: AbortSignal) => {
  const { size } = source;
  task.tell('Lecture', 0, size, `Lecture de ${task.input.filename}.`);
  return verifyArchive(source, { signal, onProgress: (bytes) => task.tell('Lecture', bytes, size) });
};

async function verifyHere(task: BackupTask): Promise<Whole> {
  const { object, filename } = task.input;
  if (!object) throw new Error('what is verified is not known');
  const reader = await (await task.openStore()).reader(object.key);
  if (!reader) throw goneHere(filename);
  try {
    return { ...(await check(task, reader, task.running.signal)), size: reader.size };
  } finally {
    await reader.close();
  }
}

async function verifyThere(task: BackupTask): Promise<Whole> {
  const { folder } = task;
  const { filename } = task.input;
  const seen = await folder.facts(filename);
  if (!seen) throw goneThere(filename);
  const { size, mtime } = seen;
  const ending = new AbortController();
  const within = AbortSignal.any([folder.signal, ending.signal]);
  const source = new RemoteSource(size, (at, length) => folder.until(within).read(filename, at, length), within);
  const take = (bytes: Buffer) => {
    if (source.received + bytes.length > size) throw changedThere(filename);
    return source.take(bytes);
  };
  const coming = { at: () => source.received, take };
  const [verified] = await together(
    within,
    (signal) => check(task, source, signal),
    async (signal) => {
      await pull(folder.until(signal), filename, coming);
      if (source.received !== size) throw changedThere(filename);
    },
  ).finally(() => ending.abort());
  const after = await folder.facts(filename);
  if (after?.size !== size || after.mtime !== mtime) throw changedThere(filename);
  return { ...verified, size };
}
