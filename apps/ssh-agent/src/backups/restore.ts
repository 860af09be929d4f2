import { type RestoreResult, RestoreInput } from '@vigie/contracts/restores';
import type { FollowResult } from '@vigie/ssh/journal-follow';
import { stop } from '@vigie/ssh/journal';
import {
  bringBackTask,
  type RestoreEnd,
  type RestoreProgress,
  type RestoreOrder,
  RestoreReader,
  restoreTask,
} from '@vigie/wordpress/restore';
import { Later, NotBegun, requireAccess, type Outcome, Unestablished } from '../jobs/job-handler';
import { derivedId } from '../operations/derived-id';
import { visit } from '../site-looks/visit';
import type { BackupTask } from './backup-task';
import { importArchive } from './import';
import { BackupFailure, codeOf, incomplete, notBroughtBack } from './sentences';

const steps: Record<RestoreProgress['step'], string> = {
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
/** To take a restore back, where something ends that again and again. */
const maxTries = 30;
/** Longer than each of its two ways may take by itself. */
const maxHours = 25;
/** Until the next one: a database or a disk may be back by then. */
const pauseMs = (tried: number) => Math.min(60_000, 5_000 * tried);

/** Makes a site what an archive holds. The copy of a local archive does not stay on the host. */
export async function restore(task: BackupTask): Promise<Outcome> {
  const input = RestoreInput.parse(task.running.job.input);
  try {
    if (input.location === 'local' && !task.wasPlaced) await copyArchive(task, input.filename);
    const outcome = await restoreSite(task, input);
    await task.removeCopy();
    return outcome;
  } catch (error) {
    if (!task.goesOn(error)) await task.removeCopy();
    // A job that was never begun is forgotten, and its copy would be.
    throw task.hasCopy && error instanceof NotBegun ? new Later(error.waitMs, error.message, true) : error;
  }
}

/** An archive that was on the host before is no copy of this job's. */
async function copyArchive(task: BackupTask, filename: string): Promise<void> {
  if ((await task.folder.facts(filename)) === undefined) await task.keepCopied();
  await importArchive(task);
}

/** Until the exchange it may be ended, and leaves nothing then; from then on it ends itself. */
async function restoreSite(task: BackupTask, input: RestoreInput): Promise<Outcome> {
  const { running } = task;
  const place = await task.place();
  const { id } = running.job;
  const { filename: name, safety, mode, scope, path } = input;
  const site = { path: place.path, url: input.site.url };
  const order: RestoreOrder = { operation: id, site, php: place.php, name, safety, mode, scope, path };
  const reader = new RestoreReader();
  const { wasStopped } = await operate(task, order, reader);
  const end = reader.end ?? (await bringBack(task, order, { reader, place }));
  if (end.is === 'done') return restored(task, input, reader, end);
  // What was called off is as it was, which is what whoever called it off wanted.
  if (wasStopped || running.signal.aborted) running.signal.throwIfAborted();
  throw new BackupFailure({ message: end.message, remedy: end.remedy, code: codeOf(end.code) });
}

function operate(task: BackupTask, order: RestoreOrder, reader: RestoreReader): Promise<FollowResult> {
  const { running, operations } = task;
  return operations.run(running, {
    ...restoreTask(order),
    name: 'restore.sh',
    hours: maxHours,
    lock: order.site.path,
    onLine: telling(task, reader),
    mayHaveBegun: task.wasPlaced,
    mayStop: () => !reader.isExchanging,
  });
}

function telling(task: BackupTask, reader: RestoreReader): (line: string) => void {
  let step = '';
  let isSafe = false;
  return (line) => {
    const news = reader.hear(line);
    if (reader.safety && !isSafe) {
      isSafe = true;
      task.running.tell(null, `Le site d’avant est gardé dans ${reader.safety.filename}.`);
    }
    if (!news) return;
    const lines = news.step === step ? [] : [steps[news.step]];
    step = news.step;
    task.tell(steps[news.step], news.done, news.total, ...lines);
  };
}

type Trying = { reader: RestoreReader; place: Awaited<ReturnType<BackupTask['place']>> };

/** It was ended before it could bring itself to an end. Nobody stops this: halfway a site is neither side. */
async function bringBack(task: BackupTask, order: RestoreOrder, { reader, place }: Trying): Promise<RestoreEnd> {
  const { running, operations } = task;
  const { site } = order;
  const tried = place.tries + 1;
  if (tried > maxTries) throw new Unestablished(notBroughtBack(reader.safety?.filename));
  await running.remember({ ...place, tries: tried });
  running.tell(null, 'La restauration a été interrompue sur le serveur\u00a0: le site est remis en ordre.');
  reader.goOn();
  // Its shell may be gone, and its PHP not.
  const alone = task.folder.until(running.gone);
  await alone.use((_, __, connection) => stop(connection, running.job.id, { graceSeconds: 1 }));
  await operations.run(
    { ...running, signal: running.gone },
    {
      ...bringBackTask(order),
      name: 'restore-back.sh',
      hours: maxHours,
      id: derivedId(running.job.id, `back:${tried}`),
      lock: site.path,
      onLine: (line) => void reader.hear(line),
      mayHaveBegun: true,
    },
  );
  if (reader.end) return reader.end;
  throw new Later(
    pauseMs(tried),
    'Le site ne peut pas encore être remis en ordre\u00a0: nouvel essai dans un instant.',
    true,
  );
}

async function restored(
  task: BackupTask,
  input: RestoreInput,
  { safety }: RestoreReader,
  end: Extract<RestoreEnd, { is: 'done' }>,
): Promise<Outcome> {
  const { is: _, warnings, lost, ...counts } = end;
  const { code } = await visit(input.site.url, task.ruleFor(requireAccess(task.running.job.access)));
  const answer = code === 0 ? 'ne répond pas' : `répond ${code}`;
  const page =
    code >= 200 && code < 400 ? [] : [`La page d’accueil ${answer} après la restauration\u00a0: regardez le site.`];
  const { filename, mode, scope, path } = input;
  const result: RestoreResult = {
    filename,
    mode,
    scope,
    path,
    safety: safety ?? { filename: input.safety, size: 0 },
    ...counts,
    warnings: [...warnings, ...lost, ...page],
    http_status: code === 0 ? null : code,
  };
  const all = `${counts.files} fichiers, ${counts.tables} tables, ${counts.rows} lignes restaurés depuis ${filename}.`;
  task.running.tell(null, all, ...result.warnings);
  return lost.length === 0
    ? { state: 'succeeded', result }
    : { state: 'failed', error: incomplete(result, lost), result };
}
