import type { CreatedBackup } from '@vigie/contracts/backups';
import type { FollowResult } from '@vigie/ssh/journal-follow';
import { type BackupPlace, storageOf } from '@vigie/wordpress/backups';
import { SiteFailure } from '@vigie/wordpress/host';
import { dropPart, type PackEnd, type PackProgress, PackReader, packTask } from '@vigie/wordpress/pack';
import { Archive } from '@vigie/wpress/read-archive';
import { AppError } from '@vigie/contracts/errors';
import { CredentialUnreadable } from '../credentials/credential';
import { RetryLater, type Outcome, OutcomeUnknown } from '../jobs/job-handler';
import { failureOf } from '../sites/site-host';
import type { BackupTask } from './backup-task';
import { BackupFailure, interrupted, megabytes } from './backup-failures';

const stepNames: Record<PackProgress['step'], string> = {
  checks: 'Vérifications',
  database: 'Base de données',
  files: 'Fichiers',
  end: 'Fin de l’archive',
};

type PackedCounts = Omit<CreatedBackup, 'filename' | 'createdAt' | 'created' | 'storage' | 'location' | 'stdout'>;

/** Packs the site on its host. It may be ended at any time, and leaves nothing then. */
export async function create(task: BackupTask): Promise<Outcome> {
  const place = await task.locateSite();
  const reader = new PackReader();
  const followed = await runPack(task, place, reader);
  const { end, part } = reader;
  if (end?.is === 'done') return createdOutcome(task, end);
  if (followed.wasStopped) task.context.signal.throwIfAborted();
  // A worker before this one, or the job that this one repeats, may have come further than was known.
  const found = !end || end.code === 'exists' ? await readFinishedArchive(task) : undefined;
  if (found) return createdOutcome(task, found);
  await removePart(task, part);
  throw end ? new BackupFailure(errorOf(end)) : interrupted();
}

const errorOf = ({ message, remedy, code }: Exclude<PackEnd, { is: 'done' }>) => ({ message, remedy, code });

async function runPack(task: BackupTask, place: BackupPlace, reader: PackReader): Promise<FollowResult> {
  const { context, input, operations } = task;
  const { job } = context;
  const order = {
    operation: job.id,
    site: { path: place.path, url: input.site.url },
    php: place.php,
    name: input.filename,
    // What each plugin reads.
    format: 1 as const,
    without: { cache: input.exclude_cache },
  };
  let step = '';
  const onLine = (line: string) => {
    const progress = reader.hear(line);
    if (!progress) return;
    const lines = progress.step === step ? [] : [stepNames[progress.step]];
    step = progress.step;
    task.report(stepNames[progress.step], progress.done, progress.total, ...lines);
  };
  try {
    return await operations.run(context, {
      ...packTask(order),
      name: 'pack.sh',
      lock: place.path,
      onLine,
      mayHaveStarted: job.memo !== null,
    });
  } catch (error) {
    const willResume = context.leaseSignal.aborted || (error instanceof RetryLater && error.mayHaveStarted);
    if (!willResume) await removePart(task, reader.part);
    throw error;
  }
}

/** Removes the part of an archive whose program was ended before it could do so itself. */
function removePart(task: BackupTask, part: string | undefined): Promise<void> {
  const { id } = task.context.job;
  return task.cleanUp((folder) =>
    folder.use((host) => (part === undefined ? Promise.resolve() : dropPart(host, id, part, folder.signal))),
  );
}

/** An archive has its name once it is whole: what it says of itself is what was packed. */
async function readFinishedArchive({ folder, input }: BackupTask): Promise<PackedCounts | undefined> {
  try {
    const seen = await folder.stat(input.filename);
    if (!seen) return undefined;
    const { size } = seen;
    const read = (offset: number, length: number) => folder.read(input.filename, offset, length);
    const { note } = (await Archive.open({ size, read })).about;
    const rows = (note?.tables ?? []).reduce((sum, table) => sum + table.rows, 0);
    return { size, entries: note?.entries ?? 0, tables: note?.tables.length ?? 0, rows, missed: 0, examples: [] };
  } catch (error) {
    // That it was not looked at says nothing of what is there.
    if (error instanceof CredentialUnreadable) throw error;
    const unseen = error instanceof SiteFailure && failureOf(error);
    if (unseen) throw new OutcomeUnknown(unseen);
    if (error instanceof AppError || error instanceof BackupFailure) return undefined;
    throw error;
  }
}

async function createdOutcome(task: BackupTask, counted: PackedCounts): Promise<Outcome> {
  const { size, entries, tables, rows, missed, examples } = counted;
  const { filename } = task.input;
  const seen = await statCreated(task);
  const created = new Date((seen.mtime ?? Math.floor(Date.now() / 1_000)) * 1_000).toISOString();
  const stdout = `${filename}\u00a0: ${entries} fichiers, ${tables} tables, ${rows} lignes, ${megabytes(size)}.`;
  task.context.report(null, stdout);
  const storage = storageOf(seen.place);
  const result: CreatedBackup = {
    filename,
    size,
    createdAt: created,
    created,
    storage,
    location: 'Distant',
    stdout,
    entries,
    tables,
    rows,
    missed,
    examples,
  };
  return { state: 'succeeded', result };
}

/** It is made, cancelled or not, and even where nobody can look at it afterwards. */
async function statCreated(task: BackupTask): Promise<{ place: BackupPlace; mtime?: number }> {
  const place = await task.locateSite();
  try {
    const seen = await task.folder.withSignal(task.context.leaseSignal).stat(task.input.filename);
    return { place, mtime: seen?.mtime };
  } catch (error) {
    if (error instanceof SiteFailure) return { place };
    throw error;
  }
}
