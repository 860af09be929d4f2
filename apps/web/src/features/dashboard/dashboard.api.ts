import { readSummary, readTodo } from '@vigie/contracts/dashboard';
import { api } from '../../kit/query/api';
import { queryOf } from '../../kit/query/endpoints';

export const dashboardApi = api.injectEndpoints({
  endpoints: (build) => ({
    summary: build.query(queryOf(readSummary)),
    todo: build.query(queryOf(readTodo)),
  }),
});
