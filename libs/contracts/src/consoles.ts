import { z } from 'zod';
import { contract } from './contract';
import { ServerType } from './servers';
import { id, timestamp } from './text';

const side = z.int().min(1).max(1_000);
/** Size of a terminal, in characters. */
export const ConsoleSize = z.object({ cols: side, rows: side });
export type ConsoleSize = z.infer<typeof ConsoleSize>;

/** A live console of the acting user, on a server or on a site. */
export const Console = z.object({
  id,
  server_id: id.nullable(),
  server_name: z.string().nullable(),
  server_type: ServerType.nullable(),
  site_id: id.nullable().default(null),
  site_name: z.string().nullable().default(null),
  /** Null on a site that is shared with the user: a grant shows no connection. */
  user: z.string().nullable(),
  host: z.string().nullable(),
  port: z.int().nullable(),
  opened_at: timestamp,
  /** A page shows the console now; otherwise it waits for its user to return. */
  is_attached: z.boolean(),
});
export type Console = z.infer<typeof Console>;

const Ticket = z.object({ ticket: z.string(), message: z.string().optional() });

/** Issues a ticket for one websocket within 30 s, for this user, session and server. Only its hash is stored. */
export const issueTicket = contract('sites.consoles.ticket', {
  http: 'POST /api/servers/:id/ws-ticket',
  access: 'fresh',
  scope: 'console',
  input: z.object({ id }),
  output: Ticket,
  sealedAnswer: ['ticket'],
});

/** The same for a console of a site, by the site's own connection and in its folder. */
export const issueSiteTicket = contract('sites.consoles.ticketOfSite', {
  http: 'POST /api/sites/:id/ws-ticket',
  access: 'fresh',
  scope: 'console',
  grantRole: 'operator',
  input: z.object({ id }),
  output: Ticket,
  sealedAnswer: ['ticket'],
});

/** Lists the user's own consoles, oldest first; administrators see only their own too. */
export const listConsoles = contract('sites.consoles.list', {
  http: 'GET /api/consoles',
  access: 'user',
  scope: 'console',
  reads: ['consoles'],
  input: z.object({}),
  output: z.object({ items: z.array(Console) }),
});

/** Ends the shell for good, within seconds. */
export const endConsole = contract('sites.consoles.end', {
  http: 'DELETE /api/consoles/:id',
  access: 'user',
  scope: 'console',
  changes: ['consoles'],
  input: z.object({ id }),
  output: z.object({}),
});
