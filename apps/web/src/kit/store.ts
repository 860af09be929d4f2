import { configureStore, isFulfilled, isRejectedWithValue, type Middleware } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { JobTicket } from '@vigie/contracts/jobs';
import { topics } from '@vigie/contracts/routes';
import { jobsApi } from './job/jobs.api';
import { markStarted } from './job/outcomes';
import { api } from './query/api';
import { sentenceOf, toastFailure } from './query/failures';
import { recoverReads } from './query/recovery';
import { forgetCreationKeys } from './query/request-headers';
import { session } from './query/session';

/** Every response that is a ticket started a job: the list of jobs is read again, and the end of the job is reported here. */
const followJobTickets: Middleware =
  ({ dispatch }) =>
  (next) =>
  (action) => {
    const result = next(action);
    const ticket = isFulfilled(action) ? JobTicket.safeParse(action.payload).data : undefined;
    if (ticket) {
      markStarted(ticket.job_id);
      dispatch(jobsApi.util.invalidateTags(['jobs']));
    }
    return result;
  };

type EndpointCall = { type?: 'query' | 'mutation' } | undefined;

/** A toast says why something that a person asked for failed. A screen says itself what it could not read. */
const tellFailures: Middleware = () => (next) => (action) => {
  if (isRejectedWithValue(action) && (action.meta['arg'] as EndpointCall)?.type === 'mutation') {
    const sentence = sentenceOf(action.payload);
    if (sentence !== undefined) toastFailure(sentence, action.payload);
  }
  return next(action);
};

export const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware, followJobTickets, tellFailures, recoverReads),
});

// Polling pauses while the page is hidden, and queries run again when it is shown and when the network returns.
setupListeners(store.dispatch);

let { adminMode } = session.get();

/** Admin mode changes what every query returns. Each query that shows data has a tag. */
function followAdminMode(): void {
  const now = session.get();
  if (now.adminMode === adminMode) return;
  adminMode = now.adminMode;
  if (now.token !== null) store.dispatch(api.util.invalidateTags([...topics]));
}

session.subscribe(followAdminMode);
session.subscribe(forgetCreationKeys);
