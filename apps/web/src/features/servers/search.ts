import { serverSorts } from '@vigie/contracts/servers';
import { z } from 'zod';
import { flag, page, text } from '../../kit/list/search-params';

/** The state of the page of servers, kept in the address. */
export const ServersSearch = z.object({
  q: text,
  /** The group's subgroups count too. */
  group: text,
  sort: z.enum(serverSorts).optional().catch(undefined),
  page,
  /** The server whose panel is open. */
  open: text,
  /** The job whose test the panel follows. */
  test: text,
  /** The server whose form is open. */
  edit: text,
  /** The server whose sites are being discovered. */
  discover: text,
  /** The job of that discovery. */
  found: text,
  /** Whether the form for a new server is open. */
  add: flag,
});
export type ServersSearch = z.infer<typeof ServersSearch>;

export const columns = ['name', 'host', 'provider', 'type'] as const;
export type Column = (typeof columns)[number];
