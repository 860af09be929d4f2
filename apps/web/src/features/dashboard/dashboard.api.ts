import { readTodo, Summary, type TodoGroup } from '@vigie/contracts/dashboard';
import { api } from '../../app/api';

const tags = ['sites', 'servers', 'groups', 'backups', 'jobs'] as const;

export const dashboardApi = api.enhanceEndpoints({ addTagTypes: tags }).injectEndpoints({
  endpoints: (build) => ({
    summary: build.query<Summary, void>({
      query: () => ({ path: '/dashboard/summary', output: Summary }),
      providesTags: [...tags],
    }),
    todo: build.query<{ items: TodoGroup[] }, void>({
      query: () => ({ path: '/dashboard/todo', output: readTodo.output }),
      providesTags: [...tags],
    }),
  }),
});
