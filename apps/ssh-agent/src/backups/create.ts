import type { CreatedBackup } from '@vigie/contracts/backups';
import type { FollowResult } from '@vigie/ssh/journal-follow';
import { type ArchiveLocation, storageOf } from '@vigie/wordpress/backups';
import { SiteFailure } from '@vigie/wordpress/host';
import { deletePart, type PackEnd, type PackProgress, PackReader, packTask } from '@vigie/wordpress/pack';
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

/** Packs the site on its host. A cancellation at any time leaves nothing behind. */
export async function create(task: BackupTask): Promise<Outcome> {
  const location = await task.locateSite();
  const reader = new PackReader();
  const result = await runPack(task, location, reader);
  const { end, part } = reader;
  if (end?.is === 'done') return createdOutcome(task, end);
  if (result.wasStopped) task.context.signal.throwIfAborted();
  // An earlier worker, or the job that this one repeats, may have finished the archive without our knowing.
  const archive = !end || end.code === 'exists' ? await readFinishedArchive(task) : undefined;
  if (archive) return createdOutcome(task, archive);
  await removePart(task, part);
  throw end ? new BackupFailure(errorOf(end)) : interrupted();
}

const errorOf = ({ message, remedy, code }: Exclude<PackEnd, { is: 'done' }>) => ({ message, remedy, code });

async function runPack(task: BackupTask, location: ArchiveLocation, reader: PackReader): Promise<FollowResult> {
  const { context, input, operations } = task;
  const { job } = context;
  const order = {
    operation: job.id,
    site: { path: location.path, url: input.site.url },
    php: location.php,
    name: input.filename,
    // The format that every release of the plugin reads.
    format: 1 as const,
    without: { cache: input.exclude_cache },
  };
  let step = '';
  const onLine = (line: string) => {
    const progress = reader.readLine(line);
    if (!progress) return;
    const lines = progress.step === step ? [] : [stepNames[progress.step]];
    step = progress.step;
    task.report(stepNames[progress.step], progress.done, progress.total, ...lines);
  };
  try {
    return await operations.run(context, {
      ...packTask(order),
      name: 'pack.sh',
      lock: location.path,
      onLine,
      mayHaveStarted: job.memo !== null,
    });
  } catch (error) {
    const willResume = context.leaseSignal.aborted || (error instanceof RetryLater && error.mayHaveStarted);
    if (!willResume) await removePart(task, reader.part);
    throw error;
  }
}

/** Removes a part file whose program was killed before it could do so itself. */
function removePart(task: BackupTask, part: string | undefined): Promise<void> {
  const { id } = task.context.job;
  return task.cleanUp((folder) =>
    folder.use((host) => (part === undefined ? Promise.resolve() : deletePart(host, id, part, folder.signal))),
  );
}

/** An archive gets its name once it is complete, so its own header tells what was packed. */
async function readFinishedArchive({ folder, input }: BackupTask): Promise<PackedCounts | undefined> {
  try {
    const stat = await folder.stat(input.filename);
    if (!stat) return undefined;
    const { size } = stat;
    const read = (offset: number, length: number) => folder.read(input.filename, offset, length);
    const { note } = (await Archive.open({ size, read })).about;
    const rows = (note?.tables ?? []).reduce((sum, table) => sum + table.rows, 0);
    return { size, entries: note?.entries ?? 0, tables: note?.tables.length ?? 0, rows, missed: 0, examples: [] };
  } catch (error) {
    // An archive that could not be read may well be there.
    if (error instanceof CredentialUnreadable) throw error;
    const failure = error instanceof SiteFailure && failureOf(error);
    if (failure) throw new OutcomeUnknown(failure);
    if (error instanceof AppError || error instanceof BackupFailure) return undefined;
    throw error;
  }
}

async function createdOutcome(task: BackupTask, counts: PackedCounts): Promise<Outcome> {
  const { size, entries, tables, rows, missed, examples } = counts;
  const { filename } = task.input;
  const { location, mtime } = await statCreated(task);
  const created = new Date((mtime ?? Math.floor(Date.now() / 1_000)) * 1_000).toISOString();
  const stdout = `${filename}\u00a0: ${entries} fichiers, ${tables} tables, ${rows} lignes, ${megabytes(size)}.`;
  task.context.report(null, stdout);
  const storage = storageOf(location);
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

/** The backup is made, even if it was cancelled meanwhile or its host cannot be read afterwards. */
async function statCreated(task: BackupTask): Promise<{ location: ArchiveLocation; mtime?: number }> {
  const location = await task.locateSite();
  try {
    const stat = await task.folder.withSignal(task.context.leaseSignal).stat(task.input.filename);
    return { location, mtime: stat?.mtime };
  } catch (error) {
    if (error instanceof SiteFailure) return { location };
    throw error;
  }
}
