import { type HealthColumn, type HealthSort, healthSorts } from '@vigie/contracts/server-health';
import { z } from 'zod';

/** What is shown of the health of servers, kept in the address. */
export const HealthSearch = z.object({
  sort: z.enum(healthSorts).optional().catch(undefined),
  page: z.int().min(2).max(50_000).optional().catch(undefined),
  /** Only those in alert. */
  alert: z.literal(true).optional().catch(undefined),
});
export type HealthSearch = z.infer<typeof HealthSearch>;

export const columns = ['name', 'load', 'mem', 'disk', 'procs', 'threads'] as const satisfies readonly HealthColumn[];

export const sortOf = ({ sort = 'name' }: HealthSearch): { column: HealthColumn; isDescending: boolean } => ({
  column: columns.find((column) => column === sort.replace(/^-/, '')) ?? 'name',
  isDescending: sort.startsWith('-'),
});

/** The address of a sort; the one that comes by itself has none. */
export function sortBy(column: HealthColumn, isDescending: boolean): HealthSort | undefined {
  const sort: HealthSort = isDescending ? `-${column}` : column;
  return sort === 'name' ? undefined : sort;
}
