import { willRetry } from '@vigie/contracts/job-errors';
import { SshFailure } from '@vigie/ssh/failure';
import type { Connections } from '../connections';
import { type JobContext, OutcomeUnknown, RetryLater, requireAccess } from '../jobs/job-handler';
import { failureOf, hostOf } from './site-host';

const retryLaterMs = 30_000;

/**
 * Reads from the host what an operation needs. An operation that may have started is looked for until it is found,
 * whatever has happened to the site since.
 */
export function prepareOperation<Order>(
  connections: Pick<Connections, 'use'>,
  { job }: JobContext,
  signal: AbortSignal,
  work: (host: ReturnType<typeof hostOf>) => Promise<Order>,
): Promise<Order> {
  const access = requireAccess(job.access);
  return connections.use(access, { signal, work: (connection) => work(hostOf(connection)) }).catch((error: unknown) => {
    if (!job.was_started || signal.aborted) throw error;
    if (error instanceof SshFailure) throw new RetryLater(retryLaterMs, `${error.message} ${willRetry}`, true);
    const failure = failureOf(error);
    throw failure ? new OutcomeUnknown(failure) : error;
  });
}
