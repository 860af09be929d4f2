import type { JobError } from '@vigie/contracts/jobs';
import { CommandInput, type CommandResult } from '@vigie/contracts/site-commands';
import { type CommandEnd, CommandOutput, commandTask } from '@vigie/wordpress/commands';
import { searchSite } from '@vigie/wordpress/diagnose';
import { findPhp } from '@vigie/wordpress/php';
import type { Connections } from '../connections';
import { type JobContext, type JobHandler, type JobHandlers, type Outcome } from '../jobs/job-handler';
import { errorOfEnd, Operations } from '../operations/operations';
import { prepareOperation } from '../sites/prepare-operation';
import { failureOf } from '../sites/site-host';
import { endingError, missingWpCli, restLine } from './sentences';

type HostConnections = Pick<Connections, 'use' | 'open'>;

/** Runs the command of a person on a site. The host's journal begins it once, whatever becomes of the workers. */
export function siteCommandsJobs(connections: HostConnections): JobHandlers<'commands.run'> {
  const operations = new Operations(connections);
  return { 'commands.run': runCommand(connections, operations) };
}

const runCommand =
  (connections: HostConnections, operations: Operations): JobHandler =>
  async (context) => {
    const { job, report, signal } = context;
    try {
      const order = await orderOf(connections, context);
      const output = new CommandOutput(job.id, (lines) => report(null, ...lines));
      report({ step: 'Commande', done: null, total: null });
      const followed = await operations.run(context, {
        ...commandTask(order),
        name: 'command.sh',
        lock: order.site.path,
        onLine: (line) => output.read(line),
      });
      output.requireRights();
      const { end, restBytes } = output;
      if (restBytes > 0) report(null, restLine(restBytes));
      if (end) return outcomeOf(end, order.seconds, output);
      return { state: 'unknown', error: { ...errorOfEnd(followed), message: interrupted } };
    } catch (error) {
      // A failure of an operation that may have started is thrown on, to be retried.
      const failure = signal.aborted ? undefined : failureOf(error);
      if (!failure) throw error;
      return { state: 'failed', error: failure };
    }
  };

const interrupted =
  'État inconnu\u00a0: la commande s’est interrompue sur le serveur, et ce qu’elle a fait n’a pas pu être établi.';

function outcomeOf(end: CommandEnd, seconds: number, { hasNoWpCli, restBytes }: CommandOutput): Outcome {
  const hasEnded = end.why === '';
  const result = {
    exit_code: hasEnded ? end.code : null,
    signal: hasEnded && end.code > 128 && end.code <= 192 ? end.code - 128 : null,
    ms: end.ms,
    truncated: restBytes,
  } satisfies CommandResult;
  const error: JobError | undefined = hasNoWpCli && end.code === 127 ? missingWpCli : endingError(end, seconds);
  if (!error) return { state: 'succeeded', result };
  return { state: end.left > 0 ? 'unknown' : 'failed', error, result };
}

/** What the operation needs to know of the host. */
function orderOf(connections: HostConnections, context: JobContext) {
  const { job, leaseSignal } = context;
  // Even when it is cancelled, an operation that may have started must be found, to be stopped.
  const signal = job.was_started ? leaseSignal : context.signal;
  const { site, kind, command, timeout_seconds: seconds } = CommandInput.parse(job.input);
  return prepareOperation(connections, context, signal, async (host) => {
    const needsPhp = kind === 'wp' || site.path === null;
    const php = needsPhp ? (await findPhp(host, site.php, signal)).binary : '';
    const path = site.path ?? (await searchSite(host, site.url, { php, signal }));
    return { site: { path }, kind, command, seconds, php };
  });
}
