import { type HealthColumn, HistoryRange, healthSorts } from '@vigie/contracts/server-health';
import { z } from 'zod';
import { flag, page } from '../../kit/list/search-params';

/** The state of the table of servers, kept in the address. */
export const HealthSearch = z.object({
  sort: z.enum(healthSorts).optional().catch(undefined),
  page,
  /** Only servers in alert. */
  alert: flag,
});
export type HealthSearch = z.infer<typeof HealthSearch>;

export const columns = ['name', 'load', 'mem', 'disk', 'procs', 'threads'] as const satisfies readonly HealthColumn[];

/** How the page of a server shows what was measured, kept in the address; a day as curves by default. */
export const HistorySearch = z.object({
  range: HistoryRange.optional().catch(undefined),
  view: z.enum(['table']).optional().catch(undefined),
});
export type HistorySearch = z.infer<typeof HistorySearch>;
