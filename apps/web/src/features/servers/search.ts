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
  /** The server whose form is open. */
  edit: text,
  /** Addresses of former releases name the server whose page, discovery or test is to be shown. */
  open: text,
  discover: text,
  found: text,
  test: text,
  /** Whether the form for a new server is open. */
  add: flag,
});
export type ServersSearch = z.infer<typeof ServersSearch>;

/** The state of the page of one server, kept in the address. */
export const ServerSearch = z.object({
  /** The job whose test the page follows. */
  test: text,
  /** Whether the form is open. */
  edit: flag,
  /** Whether its sites are being discovered. */
  discover: flag,
  /** The job of that discovery. */
  found: text,
  /** Whether the choice of another owner is open. */
  owner: flag,
});
export type ServerSearch = z.infer<typeof ServerSearch>;

/** The page of a server that an address of a former release means. */
export function formerServer({ open, discover, found, test, edit }: ServersSearch) {
  const serverId = open ?? discover;
  if (serverId === undefined) return undefined;
  const isOpen = (id: string | undefined) => (id === undefined ? undefined : (true as const));
  return { serverId, search: { test, found, discover: isOpen(discover), edit: isOpen(edit) } };
}

export const columns = ['name', 'host', 'provider', 'type'] as const;
export type Column = (typeof columns)[number];
