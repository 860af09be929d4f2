import { useNavigate } from '@tanstack/react-router';
import type { JobTicket } from '@vigie/contracts/jobs';
import { type CallState, sentenceOf } from '../query/failures';
import { markStarted } from './outcomes';
import { withJobParam } from './withJobParam';

/** Opens a new batch in the dock; its end is reported in a toast when the dock no longer shows it. */
export function useFollowBatch() {
  const navigate = useNavigate();
  return (id: string): void => {
    markStarted(id);
    void navigate({ to: '.', search: withJobParam(id), resetScroll: false });
  };
}

type Send<F> = (fields: F) => PromiseLike<{ data?: JobTicket; error?: unknown }>;

/** Starts a batch, which the dock then shows. */
export function useBatch<F>([send, call]: readonly [Send<F>, CallState, ...unknown[]], onStarted?: () => void) {
  const follow = useFollowBatch();
  const start = async (fields: F): Promise<void> => {
    const { data } = await send(fields);
    if (!data) return;
    onStarted?.();
    follow(data.job_id);
  };
  return { start: (fields: F) => void start(fields), call, isBusy: call.isLoading, failure: sentenceOf(call.error) };
}

type SendTests = (request: { ids?: readonly string[] }) => PromiseLike<{ data?: JobTicket; error?: unknown }>;

/** Tests these servers or sites, or all of them. */
export function useTests(mutation: readonly [send: SendTests, call: CallState, ...unknown[]]) {
  const { start, isBusy, failure } = useBatch(mutation);
  return { isBusy, failure, run: (ids?: readonly string[]) => start(ids ? { ids } : {}) };
}
