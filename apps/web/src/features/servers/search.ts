import { serverSorts } from '@vigie/contracts/servers';
import { z } from 'zod';
import { isOn, page, text } from '../../app/address';

/** What is shown of the servers, kept in the address. */
export const ServersSearch = z.object({
  q: text,
  /** With the groups below it. */
  group: text,
  sort: z.enum(serverSorts).optional().catch(undefined),
  page,
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
  add: isOn,
});
export type ServersSearch = z.infer<typeof ServersSearch>;

export const columns = ['name', 'host', 'provider', 'type'] as const;
export type Column = (typeof columns)[number];
