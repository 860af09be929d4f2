import { type RestoreResult, RestoreInput } from '@vigie/contracts/restores';
import type { FollowResult } from '@vigie/ssh/journal-follow';
import { stop } from '@vigie/ssh/journal';
import {
  finishRestoreTask,
  type RestoreEnd,
  type RestoreProgress,
  type RestoreOrder,
  RestoreReader,
  restoreTask,
} from '@vigie/wordpress/restore';
import { RetryLater, NotStarted, requireAccess, type Outcome, OutcomeUnknown } from '../jobs/job-handler';
import { derivedId } from '../operations/derived-id';
import { visit } from '../site-checks/visit';
import type { BackupTask } from './backup-task';
import { importArchive } from './import';
import { BackupFailure, publicCode, incompleteRestore, notRecovered } from './backup-failures';

const stepNames: Record<RestoreProgress['step'], string> = {
  checks: 'Vérifications',
  read: 'Lecture de la sauvegarde',
  safety: 'Sauvegarde de sécurité',
  files: 'Fichiers',
  database: 'Base de données',
  exchange: 'Échange',
  start: 'Démarrage de WordPress',
  end: 'Rangement',
  back: 'Retour à l’état d’avant',
};
/** Attempts to undo a restore that was interrupted. */
const maxAttempts = 30;
/** Longer than a restore or its undoing takes. */
const maxHours = 25;
/** Between two attempts, in which a database or a disk may recover. */
const pauseMs = (attempt: number) => Math.min(60_000, 5_000 * attempt);

/** Restores a site from an archive. The copy of a local archive does not stay on the host. */
export async function restore(task: BackupTask): Promise<Outcome> {
  const input = RestoreInput.parse(task.context.job.input);
  try {
    if (input.location === 'local' && !task.hadCheckpoint) await copyArchive(task, input.filename);
    const outcome = await restoreSite(task, input);
    await task.removeCopy();
    return outcome;
  } catch (error) {
    if (!task.willResume(error)) await task.removeCopy();
    // A job released as untouched loses its checkpoint, and the copy would stay.
    throw task.hasCopy && error instanceof NotStarted ? new RetryLater(error.waitMs, error.message, true) : error;
  }
}

/** An archive that is on the host already is no copy of this job. */
async function copyArchive(task: BackupTask, filename: string): Promise<void> {
  if ((await task.folder.stat(filename)) === undefined) await task.recordCopy();
  await importArchive(task);
}

/** Cancelled before the swap, a restore leaves nothing behind; from then on it runs to its end. */
async function restoreSite(task: BackupTask, input: RestoreInput): Promise<Outcome> {
  const { context } = task;
  const location = await task.locateSite();
  const { id } = context.job;
  const { filename: name, safety, mode, scope, path } = input;
  const site = { path: location.path, url: input.site.url };
  const order: RestoreOrder = { operation: id, site, php: location.php, name, safety, mode, scope, path };
  const reader = new RestoreReader();
  const { wasStopped } = await runRestore(task, order, reader);
  const end = reader.end ?? (await recoverSite(task, order, { reader, location }));
  if (end.is === 'done') return restoredOutcome(task, input, reader, end);
  // A cancelled restore left the site as it was, so the job is cancelled, and has not failed.
  if (wasStopped || context.signal.aborted) context.signal.throwIfAborted();
  throw new BackupFailure({ message: end.message, remedy: end.remedy, code: publicCode(end.code) });
}

function runRestore(task: BackupTask, order: RestoreOrder, reader: RestoreReader): Promise<FollowResult> {
  const { context, operations } = task;
  return operations.run(context, {
    ...restoreTask(order),
    name: 'restore.sh',
    hours: maxHours,
    lock: order.site.path,
    onLine: progressListener(task, reader),
    mayHaveStarted: task.hadCheckpoint,
    mayStop: () => !reader.isSwapping,
  });
}

function progressListener(task: BackupTask, reader: RestoreReader): (line: string) => void {
  let step = '';
  let isSafe = false;
  return (line) => {
    const progress = reader.readLine(line);
    if (reader.safety && !isSafe) {
      isSafe = true;
      task.context.report(null, `Le site d’avant est gardé dans ${reader.safety.filename}.`);
    }
    if (!progress) return;
    const lines = progress.step === step ? [] : [stepNames[progress.step]];
    step = progress.step;
    task.report(stepNames[progress.step], progress.done, progress.total, ...lines);
  };
}

type Recovery = { reader: RestoreReader; location: Awaited<ReturnType<BackupTask['locateSite']>> };

/** Finishes or undoes an interrupted restore. A cancellation does not stop it: halfway the site would be broken. */
async function recoverSite(task: BackupTask, order: RestoreOrder, { reader, location }: Recovery): Promise<RestoreEnd> {
  const { context, operations } = task;
  const { site } = order;
  const attempt = location.tries + 1;
  if (attempt > maxAttempts) throw new OutcomeUnknown(notRecovered(reader.safety?.filename));
  await context.saveCheckpoint({ ...location, tries: attempt });
  context.report(null, 'La restauration a été interrompue sur le serveur\u00a0: le site est remis en ordre.');
  reader.expectNext();
  // The shell of the restore may be dead while its PHP still runs.
  const uninterrupted = task.folder.withSignal(context.leaseSignal);
  await uninterrupted.use((_, __, connection) => stop(connection, context.job.id, { graceSeconds: 1 }));
  await operations.run(
    { ...context, signal: context.leaseSignal },
    {
      ...finishRestoreTask(order),
      name: 'restore-back.sh',
      hours: maxHours,
      id: derivedId(context.job.id, `back:${attempt}`),
      lock: site.path,
      onLine: (line) => void reader.readLine(line),
      mayHaveStarted: true,
    },
  );
  if (reader.end) return reader.end;
  throw new RetryLater(
    pauseMs(attempt),
    'Le site ne peut pas encore être remis en ordre\u00a0: nouvel essai dans un instant.',
    true,
  );
}

async function restoredOutcome(
  task: BackupTask,
  input: RestoreInput,
  { safety }: RestoreReader,
  end: Extract<RestoreEnd, { is: 'done' }>,
): Promise<Outcome> {
  const { is: _, warnings, lost, ...counts } = end;
  const { code } = await visit(input.site.url, task.ruleFor(requireAccess(task.context.job.access)));
  const answer = code === 0 ? 'ne répond pas' : `répond ${code}`;
  const pageWarnings =
    code >= 200 && code < 400 ? [] : [`La page d’accueil ${answer} après la restauration\u00a0: regardez le site.`];
  const { filename, mode, scope, path } = input;
  const result: RestoreResult = {
    filename,
    mode,
    scope,
    path,
    safety: safety ?? { filename: input.safety, size: 0 },
    ...counts,
    warnings: [...warnings, ...lost, ...pageWarnings],
    http_status: code === 0 ? null : code,
  };
  const summary = `${counts.files} fichiers, ${counts.tables} tables, ${counts.rows} lignes restaurés depuis ${filename}.`;
  task.context.report(null, summary, ...result.warnings);
  return lost.length === 0
    ? { state: 'succeeded', result }
    : { state: 'failed', error: incompleteRestore(result, lost), result };
}
