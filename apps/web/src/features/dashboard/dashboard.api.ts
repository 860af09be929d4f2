import { readSummary, readTodo } from '@vigie/contracts/dashboard';
import { api } from '../../app/api';
import { queryOf } from '../../app/endpoints';

export const dashboardApi = api.injectEndpoints({
  endpoints: (build) => ({
    summary: build.query(queryOf(readSummary)),
    todo: build.query(queryOf(readTodo)),
  }),
});
