import type { JobTicket } from '@vigie/contracts/jobs';
import type { CallState } from '../query/failures';
import { useBatch } from './useBatch';

type SendTests = (request: { ids?: readonly string[] }) => PromiseLike<{ data?: JobTicket; error?: unknown }>;

/** Tests these servers or sites, or all of them. */
export function useTests(mutation: readonly [send: SendTests, call: CallState, ...unknown[]]) {
  const { start, isBusy, failure } = useBatch(mutation);
  return { isBusy, failure, run: (ids?: readonly string[]) => start(ids ? { ids } : {}) };
}
