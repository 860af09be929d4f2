import type { JobTicket } from '@vigie/contracts/jobs';
import { type CallState, sentenceOf } from '../query/failures';
import { markStarted } from './outcomes';

type Send<F> = (fields: F) => PromiseLike<{ data?: JobTicket; error?: unknown }>;

/** Starts a batch, which the dock then follows on this screen; a toast reports its end. */
export function useBatch<F>(
  [send, call]: readonly [Send<F>, CallState, ...unknown[]],
  onStarted?: (jobId: string) => void,
) {
  const start = async (fields: F): Promise<void> => {
    const { data } = await send(fields);
    if (!data) return;
    onStarted?.(data.job_id);
    markStarted(data.job_id);
  };
  return { start: (fields: F) => void start(fields), call, isBusy: call.isLoading, failure: sentenceOf(call.error) };
}

type SendTests = (request: { ids?: readonly string[] }) => PromiseLike<{ data?: JobTicket; error?: unknown }>;

/** Tests these servers or sites, or all of them. */
export function useTests(
  mutation: readonly [send: SendTests, call: CallState, ...unknown[]],
  onStarted?: (jobId: string) => void,
) {
  const { start, isBusy, failure } = useBatch(mutation, onStarted);
  return { isBusy, failure, run: (ids?: readonly string[]) => start(ids ? { ids } : {}) };
}
