import type { JobError } from '@vigie/contracts/jobs';
import { SiteJobInput } from '@vigie/contracts/site-checks';
import { type Repair, RepairInput, type SiteRepairs } from '@vigie/contracts/site-repairs';
import { readContent } from '@vigie/wordpress/content';
import { searchSite } from '@vigie/wordpress/diagnose';
import { findPhp } from '@vigie/wordpress/php';
import { repairSentence } from '@vigie/wordpress/repair-words';
import { isDone, readRepairEnd, type RepairEnd, type RepairOrder, repairTask } from '@vigie/wordpress/repairs';
import type { Connections } from '../connections';
import { type JobHandler, type JobHandlers, type Outcome, requireAccess, type JobContext } from '../jobs/job-handler';
import { errorOfEnd, Operations } from '../operations/operations';
import { opcacheMs } from '../site-checks/site-pages';
import { prepareOperation } from '../sites/prepare-operation';
import { failureOf } from '../sites/site-host';
import { checkSite, type SiteCheck } from './check-site';

export function siteRepairsJobs(connections: Connections): JobHandlers<'site-repairs.look' | 'site-repairs.apply'> {
  const operations = new Operations(connections);
  return { 'site-repairs.look': checkForRepairs(connections), 'site-repairs.apply': apply(connections, operations) };
}

const runCheck = (connections: Connections, context: JobContext, notBefore?: number): Promise<SiteCheck> => {
  const { signal, report, job } = context;
  const access = requireAccess(job.access);
  const { site } = SiteJobInput.parse(job.input);
  const options = { access, signal, report: (step: string) => report({ step, done: null, total: null }), notBefore };
  return connections.use(access, { signal, work: (connection) => checkSite(connection, site, options) });
};

const checkForRepairs =
  (connections: Connections): JobHandler =>
  (context) =>
    failWithSentence(context, async () => {
      const check = await runCheck(connections, context);
      return { state: 'succeeded', result: { ...check, done: null } satisfies SiteRepairs };
    });

const apply =
  (connections: Connections, operations: Operations): JobHandler =>
  (context) =>
    failWithSentence(context, async () => {
      const { job, report } = context;
      const { repair } = RepairInput.parse(job.input);
      const order = await orderOf(connections, context);
      report({ step: 'Réparation', done: null, total: null });
      const end = await operations.run(context, {
        ...repairTask(order),
        name: 'repair.php',
        lock: order.site.path,
      });
      const repairEnd = readRepairEnd(end.stdout.bytes, order);
      if (repairEnd?.is === 'refused') return { state: 'failed', error: refusalError(repairEnd) };
      const check = await checkAfterRepair(connections, context);
      if (repairEnd?.is === 'done' || ('look' in check && isDone(order, check.look))) {
        const done = { repair, sentence: repairSentence(repair), command: commandOf(repair, repairEnd) };
        return { state: 'succeeded', result: resultOf(check, done) };
      }
      return 'look' in check
        ? { state: 'failed', error: { ...errorOfEnd(end), message: notRepaired } }
        : { state: 'unknown', error: errorOfEnd(end) };
    });

const notRepaired = 'La réparation a été interrompue avant de changer quoi que ce soit\u00a0: recommencez.';

/** A finished repair succeeds even if the site cannot be checked afterwards. */
async function checkAfterRepair(
  connections: Connections,
  context: JobContext,
): Promise<SiteCheck | { failure: JobError }> {
  try {
    // It is too late to cancel the repair.
    return await runCheck(connections, { ...context, signal: context.leaseSignal }, performance.now() + opcacheMs);
  } catch (error) {
    const failure = context.leaseSignal.aborted ? undefined : failureOf(error);
    if (!failure) throw error;
    return { failure };
  }
}

function resultOf(check: SiteCheck | { failure: JobError }, done: NonNullable<SiteRepairs['done']>): SiteRepairs {
  if ('look' in check) return { ...check, done };
  const sentence = `${done.sentence} Le site n’a pas pu être examiné ensuite\u00a0: ${check.failure.message}`;
  return { look: null, facts: null, done: { ...done, sentence } };
}

/** The repair as a shell command. */
function commandOf(repair: Repair, repairEnd: RepairEnd): string {
  if (repairEnd?.is !== 'done') return '';
  if (repair.action === 'end_maintenance') return `rm -- ${repairEnd.path}`;
  return `mv -n -- ${repairEnd.from ?? ''} ${repairEnd.path}`;
}

const codes: Readonly<Record<string, string>> = { read_only: 'forbidden', last_theme: 'forbidden', failed: 'failed' };

const refusalError = ({ code, message, remedy }: Extract<RepairEnd, { is: 'refused' }>): JobError => ({
  message,
  remedy,
  code: codes[code] ?? 'conflict',
});

function orderOf(connections: Connections, context: JobContext): Promise<RepairOrder> {
  const { job, signal } = context;
  const { site, repair, content: knownContent } = RepairInput.parse(job.input);
  return prepareOperation(connections, context, signal, async (host) => {
    const { binary: php } = await findPhp(host, site.php, signal);
    const path = site.path ?? (await searchSite(host, site.url, { php, signal }));
    const content = knownContent ?? (await readContent(host, { path, url: site.url }, { php, signal }));
    return { operation: job.id, site: { path, content }, php, repair };
  });
}

/** Ends a job with the sentence of its failure. */
async function failWithSentence({ signal }: JobContext, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    // A failure of an operation that may have started is thrown on, to be retried.
    const failure = signal.aborted ? undefined : failureOf(error);
    if (!failure) throw error;
    return { state: 'failed', error: failure };
  }
}
