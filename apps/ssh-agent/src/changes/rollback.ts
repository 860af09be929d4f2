import { changeCodes } from '@vigie/contracts/change-codes';
import { type ChangeEnd, type ChangeOrder, ChangeReader, rollbackTask } from '@vigie/wordpress/change';
import type { JobContext } from '../jobs/job-handler';
import type { Operations } from '../operations/operations';

/** Attempts at a rollback that is killed each time. */
export const maxRollbacks = 3;

type Rollback = {
  /** The change to undo. */
  order: ChangeOrder;
  /** The id of this attempt in the journal of the host. */
  id: string;
  /** After which tables are not restored any more. */
  maxAgeMinutes?: number | null;
};

/** A cancellation does not stop a rollback, which would leave the site broken halfway. */
export async function runRollback(
  operations: Operations,
  context: JobContext,
  { order, id, maxAgeMinutes = null }: Rollback,
): Promise<ChangeReader> {
  const reader = new ChangeReader(order);
  await operations.run(
    { ...context, signal: context.leaseSignal },
    {
      ...rollbackTask(order, maxAgeMinutes),
      name: 'rollback.sh',
      id,
      lock: order.site.path,
      onLine: (line) => {
        const progress = reader.readLine(line);
        if (progress && 'line' in progress) context.report(null, progress.line);
      },
      mayHaveStarted: true,
    },
  );
  return reader;
}

/** The rollback itself was killed, and can be tried again. */
export const wasKilled = (end: ChangeEnd) => end.is === 'failed' && end.code === changeCodes.interrupted;
