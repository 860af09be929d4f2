import { serverSorts } from '@vigie/contracts/servers';
import { z } from 'zod';

// The router reads `?q=12` as a number.
const text = z.coerce.string().optional().catch(undefined);

/** What is shown of the servers, kept in the address. */
export const ServersSearch = z.object({
  q: text,
  /** With the groups below it. */
  group: text,
  sort: z.enum(serverSorts).optional().catch(undefined),
  page: z.int().min(2).max(100_000).optional().catch(undefined),
  /** The server whose panel is open. */
  open: text,
  /** The job whose test the panel follows. */
  test: text,
  /** The server whose form is open. */
  edit: text,
  /** The server whose sites are looked for. */
  discover: text,
  /** The job that looks for them. */
  found: text,
  /** The form for another server is open. */
  add: z.literal(true).optional().catch(undefined),
});
export type ServersSearch = z.infer<typeof ServersSearch>;

export const columns = ['name', 'host', 'provider', 'type'] as const;
export type Column = (typeof columns)[number];
type Sort = NonNullable<ServersSearch['sort']>;

export const sortOf = ({ sort = 'name' }: ServersSearch): { column: Column; isDescending: boolean } => ({
  column: columns.find((column) => sort.endsWith(column)) ?? 'name',
  isDescending: sort.startsWith('-'),
});

/** The address of a sort; the one that comes by itself has none. */
export function sortBy(column: Column, isDescending: boolean): Sort | undefined {
  const sort: Sort = isDescending ? `-${column}` : column;
  return sort === 'name' ? undefined : sort;
}
