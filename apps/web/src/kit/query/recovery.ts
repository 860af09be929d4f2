import { isFulfilled, isRejectedWithValue, type Middleware, type UnknownAction } from '@reduxjs/toolkit';
import { Readiness } from '@vigie/contracts/health';
import { createSignal, useSignal } from '../../ui/signal';
import { api } from './api';
import { type ApiError, isApiError } from './api-error';
import { onReconnect, readinessPath } from './connection';
import { type LostRead, LostReads, type LostState } from './LostReads';

const lost = new LostReads();
const lostState = createSignal<LostState>('none');

export const useLostReads = (): LostState => useSignal(lostState);

/** A 502 or 504 with a reason speaks of a host or of Cloudflare; without one, a proxy says that Vigie did not respond. */
const isUnanswered = ({ kind, status, detail }: ApiError) =>
  kind === 'network' || ([502, 503, 504].includes(status) && detail === undefined);

const lossOf = (error: unknown): Pick<LostRead, 'isUnanswered'> | undefined => {
  if (!isApiError(error) || error.path === `GET /api${readinessPath}`) return undefined;
  return isUnanswered(error) || error.status === 503 ? { isUnanswered: isUnanswered(error) } : undefined;
};

type ReadArg =
  | (Omit<LostRead, 'isUnanswered'> & { type: 'query' | 'infinitequery' })
  | { type: 'mutation' }
  | undefined;
type Endpoints = Record<string, { initiate: (args: unknown, options: object) => UnknownAction } | undefined>;
const fresh = { subscribe: false, forceRefetch: true };

/** Repeats what could not be read, as soon as Vigie or one of its services responds again. */
export const recoverReads: Middleware = (store) => {
  let wasReady = true;
  const repeat = (isAfterOutage: boolean) => {
    const { queries } = (store.getState() as { api: { queries: Record<string, unknown> } }).api;
    for (const read of lost.takeDue(isAfterOutage)) {
      const endpoint = (api.endpoints as Endpoints)[read.endpointName];
      // A read without an entry belongs to a screen that was left long ago.
      if (endpoint && queries[read.queryCacheKey]) store.dispatch(endpoint.initiate(read.originalArgs, fresh));
      else lost.remove(read.queryCacheKey);
    }
    lostState.set(lost.state);
  };
  onReconnect(() => {
    store.dispatch(api.internalActions.onOnline());
    repeat(true);
  });
  return (next) => (action) => {
    const result = next(action);
    const isDone = isFulfilled(action);
    if (!isDone && !isRejectedWithValue(action)) return result;
    const arg = action.meta['arg'] as ReadArg;
    if (arg?.type !== 'query' && arg?.type !== 'infinitequery') return result;
    const loss = isDone ? undefined : lossOf(action.payload);
    if (loss) lost.add({ ...arg, ...loss });
    else lost.remove(arg.queryCacheKey);
    lostState.set(lost.state);
    if (isDone && arg.endpointName === 'readiness') {
      const { ready } = Readiness.parse(action.payload);
      if (ready) repeat(!wasReady);
      wasReady = ready;
    }
    return result;
  };
};
