import { isFulfilled, type Middleware } from '@reduxjs/toolkit';
import { JobTicket } from '@vigie/contracts/jobs';
import { jobsApi } from '../features/jobs/jobs.api';
import { noteStarted } from '../features/jobs/outcomes';

/** Whatever answers with a ticket began a job: it is a row at once, and its end is told to whoever began it. */
export const noteTickets: Middleware =
  ({ dispatch }) =>
  (next) =>
  (action) => {
    const result = next(action);
    const ticket = isFulfilled(action) ? JobTicket.safeParse(action.payload).data : undefined;
    if (ticket) {
      noteStarted(ticket.job_id);
      dispatch(jobsApi.util.invalidateTags(['jobs']));
    }
    return result;
  };
