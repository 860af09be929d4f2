import type { CreatedBackup } from '@vigie/contracts/backups';
import type { FollowResult } from '@vigie/ssh/journal-follow';
import { type BackupPlace, storageOf } from '@vigie/wordpress/backups';
import { SiteFailure } from '@vigie/wordpress/host';
import { dropPart, type PackEnd, type PackProgress, PackReader, packTask } from '@vigie/wordpress/pack';
import { Archive } from '@vigie/wpress/read-archive';
import { AppError } from '@vigie/contracts/errors';
import { CredentialUnopened } from '../credentials/credential';
import { Later, type Outcome, Unestablished } from '../jobs/job-handler';
import { failureOf } from '../sites/site-host';
import type { BackupTask } from './backup-task';
import { BackupFailure, interrupted, megabytes } from './sentences';

const steps: Record<PackProgress['step'], string> = {
  checks: 'Vérifications',
  database: 'Base de données',
  files: 'Fichiers',
  end: 'Fin de l’archive',
};

type Counted = Omit<CreatedBackup, 'filename' | 'createdAt' | 'created' | 'storage' | 'location' | 'stdout'>;

/** Packs the site on its host. It may be ended at any time, and leaves nothing then. */
export async function create(task: BackupTask): Promise<Outcome> {
  const place = await task.place();
  const reader = new PackReader();
  const followed = await operate(task, place, reader);
  const { end, part } = reader;
  if (end?.is === 'done') return made(task, end);
  if (followed.wasStopped) task.running.signal.throwIfAborted();
  // A worker before this one, or the job that this one repeats, may have come further than was known.
  const found = !end || end.code === 'exists' ? await whatStands(task) : undefined;
  if (found) return made(task, found);
  await dropLeft(task, part);
  throw end ? new BackupFailure(errorOf(end)) : interrupted();
}

const errorOf = ({ message, remedy, code }: Exclude<PackEnd, { is: 'done' }>) => ({ message, remedy, code });

async function operate(task: BackupTask, place: BackupPlace, reader: PackReader): Promise<FollowResult> {
  const { running, input, operations } = task;
  const { job } = running;
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
    const news = reader.hear(line);
    if (!news) return;
    const lines = news.step === step ? [] : [steps[news.step]];
    step = news.step;
    task.tell(steps[news.step], news.done, news.total, ...lines);
  };
  try {
    return await operations.run(running, {
      ...packTask(order),
      name: 'pack.sh',
      lock: place.path,
      onLine,
      mayHaveBegun: job.memo !== null,
    });
  } catch (error) {
    const isLeft = running.gone.aborted || (error instanceof Later && error.mayHaveBegun);
    if (!isLeft) await dropLeft(task, reader.part);
    throw error;
  }
}

/** Removes the part of an archive whose program was ended before it could do so itself. */
function dropLeft(task: BackupTask, part: string | undefined): Promise<void> {
  const { id } = task.running.job;
  return task.clean((folder) =>
    folder.use((host) => (part === undefined ? Promise.resolve() : dropPart(host, id, part, folder.signal))),
  );
}

/** An archive has its name once it is whole: what it says of itself is what was packed. */
async function whatStands({ folder, input }: BackupTask): Promise<Counted | undefined> {
  try {
    const seen = await folder.facts(input.filename);
    if (!seen) return undefined;
    const { size } = seen;
    const read = (offset: number, length: number) => folder.read(input.filename, offset, length);
    const { note } = (await Archive.open({ size, read })).about;
    const rows = (note?.tables ?? []).reduce((sum, table) => sum + table.rows, 0);
    return { size, entries: note?.entries ?? 0, tables: note?.tables.length ?? 0, rows, missed: 0, examples: [] };
  } catch (error) {
    // That it was not looked at says nothing of what is there.
    if (error instanceof CredentialUnopened) throw error;
    const unseen = error instanceof SiteFailure && failureOf(error);
    if (unseen) throw new Unestablished(unseen);
    if (error instanceof AppError || error instanceof BackupFailure) return undefined;
    throw error;
  }
}

async function made(task: BackupTask, counted: Counted): Promise<Outcome> {
  const { size, entries, tables, rows, missed, examples } = counted;
  const { filename } = task.input;
  const seen = await seenAfter(task);
  const created = new Date((seen.mtime ?? Math.floor(Date.now() / 1_000)) * 1_000).toISOString();
  const stdout = `${filename}\u00a0: ${entries} fichiers, ${tables} tables, ${rows} lignes, ${megabytes(size)}.`;
  task.running.tell(null, stdout);
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
async function seenAfter(task: BackupTask): Promise<{ place: BackupPlace; mtime?: number }> {
  const place = await task.place();
  try {
    const seen = await task.folder.until(task.running.gone).facts(task.input.filename);
    return { place, mtime: seen?.mtime };
  } catch (error) {
    if (error instanceof SiteFailure) return { place };
    throw error;
  }
}
