import type { JobError } from '@vigie/contracts/jobs';
import { SiteJobInput } from '@vigie/contracts/site-checks';
import { type Repair, RepairInput, type SiteRepairs } from '@vigie/contracts/site-repairs';
import { SshFailure } from '@vigie/ssh/failure';
import { readContent } from '@vigie/wordpress/content';
import { searchSite } from '@vigie/wordpress/diagnose';
import { findPhp } from '@vigie/wordpress/php';
import { sentenceOf } from '@vigie/wordpress/repair-words';
import { isDone, readRepairEnd, type RepairEnd, type RepairOrder, repairTask } from '@vigie/wordpress/repairs';
import type { Connections } from '../connections';
import {
  type JobHandler,
  type JobHandlers,
  Later,
  type Outcome,
  requireAccess,
  type Running,
  Unestablished,
} from '../jobs/job-handler';
import { errorOfEnd, Operations } from '../operations/operations';
import { opcacheMs } from '../site-looks/site-pages';
import { failureOf, hostOf } from '../sites/site-host';
import { lookAtSite, type Seen } from './look-at-site';

const laterMs = 30_000;

export function siteRepairsJobs(connections: Connections): JobHandlers<'site-repairs.look' | 'site-repairs.apply'> {
  const operations = new Operations(connections);
  return { 'site-repairs.look': look(connections), 'site-repairs.apply': apply(connections, operations) };
}

const lookNow = (connections: Connections, running: Running, notBefore?: number): Promise<Seen> => {
  const { signal, tell, job } = running;
  const access = requireAccess(job.access);
  const { site } = SiteJobInput.parse(job.input);
  const options = { access, signal, tell: (step: string) => tell({ step, done: null, total: null }), notBefore };
  return connections.use(access, { signal, work: (connection) => lookAtSite(connection, site, options) });
};

const look =
  (connections: Connections): JobHandler =>
  (running) =>
    failing(running, async () => {
      const seen = await lookNow(connections, running);
      return { state: 'succeeded', result: { ...seen, done: null } satisfies SiteRepairs };
    });

const apply =
  (connections: Connections, operations: Operations): JobHandler =>
  (running) =>
    failing(running, async () => {
      const { job, tell } = running;
      const { repair } = RepairInput.parse(job.input);
      const order = await orderOf(connections, running);
      tell({ step: 'Réparation', done: null, total: null });
      const end = await operations.run(running, {
        ...repairTask(order),
        name: 'repair.php',
        lock: order.site.path,
      });
      const told = readRepairEnd(end.stdout.bytes, order);
      if (told?.is === 'refused') return { state: 'failed', error: refusedOf(told) };
      const seen = await seenAfter(connections, running);
      if (told?.is === 'done' || ('look' in seen && isDone(order, seen.look))) {
        const done = { repair, sentence: sentenceOf(repair), command: commandOf(repair, told) };
        return { state: 'succeeded', result: resultOf(seen, done) };
      }
      return 'look' in seen
        ? { state: 'failed', error: { ...errorOfEnd(end), message: undone } }
        : { state: 'unknown', error: errorOfEnd(end) };
    });

const undone = 'La réparation s’est interrompue avant d’avoir rien changé\u00a0: recommencez.';

/** A repair that was done is done, even where nobody can look afterwards. */
async function seenAfter(connections: Connections, running: Running): Promise<Seen | { failure: JobError }> {
  try {
    // Whoever cancels it by now comes too late.
    return await lookNow(connections, { ...running, signal: running.gone }, performance.now() + opcacheMs);
  } catch (error) {
    const failure = running.gone.aborted ? undefined : failureOf(error);
    if (!failure) throw error;
    return { failure };
  }
}

function resultOf(seen: Seen | { failure: JobError }, done: NonNullable<SiteRepairs['done']>): SiteRepairs {
  if ('look' in seen) return { ...seen, done };
  const sentence = `${done.sentence} Le site n’a pas pu être examiné ensuite\u00a0: ${seen.failure.message}`;
  return { look: null, facts: null, done: { ...done, sentence } };
}

/** What was run, as somebody would have typed it. */
function commandOf(repair: Repair, told: RepairEnd): string {
  if (told?.is !== 'done') return '';
  if (repair.action === 'end_maintenance') return `rm -- ${told.path}`;
  return `mv -n -- ${told.from ?? ''} ${told.path}`;
}

const codes: Readonly<Record<string, string>> = { read_only: 'forbidden', last_theme: 'forbidden', failed: 'failed' };

const refusedOf = ({ code, message, remedy }: Extract<RepairEnd, { is: 'refused' }>): JobError => ({
  message,
  remedy,
  code: codes[code] ?? 'conflict',
});

async function orderOf(connections: Connections, { job, signal }: Running): Promise<RepairOrder> {
  const { site, repair, content: known } = RepairInput.parse(job.input);
  const work = async (host: ReturnType<typeof hostOf>) => {
    const { binary: php } = await findPhp(host, site.php, signal);
    const path = site.path ?? (await searchSite(host, site.url, { php, signal }));
    const content = known ?? (await readContent(host, { path, url: site.url }, { php, signal }));
    return { operation: job.id, site: { path, content }, php, repair };
  };
  const access = requireAccess(job.access);
  return connections.use(access, { signal, work: (connection) => work(hostOf(connection)) }).catch((error: unknown) => {
    if (!job.was_started || signal.aborted) throw error;
    // What was begun is looked for until it is found, and is not undone by what became of its site since.
    if (error instanceof SshFailure) throw new Later(laterMs, error.message, true);
    const unseen = failureOf(error);
    throw unseen ? new Unestablished(unseen) : error;
  });
}

/** Why nothing could be done or seen, in words for whoever asked. */
async function failing({ signal }: Running, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    // An operation that may have begun fails otherwise.
    const failure = signal.aborted ? undefined : failureOf(error);
    if (!failure) throw error;
    return { state: 'failed', error: failure };
  }
}
