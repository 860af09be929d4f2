import { isFulfilled, type Middleware } from '@reduxjs/toolkit';
import { JobTicket } from '@vigie/contracts/jobs';
import { jobsApi } from './jobs.api';
import { markStarted } from './outcomes';

/** Every response that is a ticket started a job: the list of jobs is read again, and the end of the job is reported here. */
export const followJobTickets: Middleware =
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
