import { z } from 'zod';
import { contract, event } from './contract';
import { SshAccess } from './credentials';
import { JobError } from './jobs';
import { ServerType } from './servers';
import { wpPath } from './site-address';
import { id, timestamp } from './text';

const bytes = z.int().min(0);
const side = z.int().min(1).max(1_000);
/** Size of a terminal, in characters. */
export const ConsoleSize = z.object({ cols: side, rows: side });
export type ConsoleSize = z.infer<typeof ConsoleSize>;

/** A live console of the acting user. */
export const Console = z.object({
  id,
  server_id: id,
  server_name: z.string(),
  server_type: ServerType,
  user: z.string(),
  host: z.string(),
  port: z.int(),
  opened_at: timestamp,
  /** A page shows the console now; otherwise it waits for its user to return. */
  is_attached: z.boolean(),
});
export type Console = z.infer<typeof Console>;

export const ConsoleEnd = z.enum([
  'exited',
  'closed',
  'abandoned',
  'session_ended',
  'server_gone',
  'ssh',
  'agent_stopped',
  'agent_lost',
]);
export type ConsoleEnd = z.infer<typeof ConsoleEnd>;

/** Issues a ticket for one websocket within 30 s, for this user, session and server. Only its hash is stored. */
export const issueTicket = contract('sites.consoles.ticket', {
  http: 'POST /api/servers/:id/ws-ticket',
  access: 'fresh',
  scope: 'console',
  input: z.object({ id }),
  output: z.object({ ticket: z.string(), message: z.string().optional() }),
  sealedAnswer: ['ticket'],
});

/** Redeems a ticket, which is used up even when the connection fails afterwards. */
export const redeemTicket = contract('sites.consoles.redeem', {
  input: z.object({ ticket_hash: z.string().regex(/^[0-9a-f]{64}$/), server_id: id }),
  output: z.object({ sid: id, sub: id, admin_mode: z.boolean() }),
  callers: ['gateway'],
});

/** Reserves a console of the acting user on a server, in the folder of a site if one is named. */
export const openConsole = contract('sites.consoles.open', {
  input: z.object({ server_id: id, site_id: id.nullish() }),
  output: z.object({ id }),
  callers: ['gateway'],
});

/** Checks that the acting user may return to a console; `is_over` when this user's console has ended. */
export const attachConsole = contract('sites.consoles.attach', {
  input: z.object({ id, server_id: id }),
  output: z.object({ is_over: z.boolean() }),
  callers: ['gateway'],
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

/** Tells agents at once to end consoles; an agent that misses the event learns it at its next renewal. */
export const consolesEnding = event('sites.consoles.ending', {
  payload: z.object({ ids: z.array(id).max(1_000) }),
  publisher: 'sites-svc',
});

/** An agent's name, unique to one run of its process. */
const agent = z.string().max(100);

/** Any agent may take the call; it connects and is then the only agent that serves the console. */
export const startConsole = contract('agent.consoles.start', {
  input: ConsoleSize.extend({ id }),
  output: z.object({}),
  callers: ['gateway'],
});

/** Claims a console, once, by the agent that will serve it. */
export const claimConsole = contract('sites.consoles.claim', {
  input: z.object({ id, agent }),
  output: z.object({
    access: SshAccess,
    user_id: id,
    sid: id,
    /** Where the shell begins; null for the home of its user. */
    folder: wpPath.nullable().default(null),
  }),
  callers: ['ssh-agent'],
});

/** Reports a successful login: the first host key is pinned before any input is accepted. */
export const consoleOpened = contract('sites.consoles.opened', {
  input: z.object({ id, agent, version: z.int(), host_key: z.string() }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

const ByteCounts = z.object({ id, bytes_in: bytes, bytes_out: bytes });

/** Renews an agent's consoles, which are lost after 20 s without a report. The agent must end those of `over`. */
export const renewConsoles = contract('sites.consoles.renew', {
  input: z.object({
    agent,
    /** `sid` is the session last attached; the console ends with it. */
    held: z.array(ByteCounts.extend({ is_attached: z.boolean(), sid: id.nullish() })).max(1_000),
  }),
  output: z.object({ over: z.array(z.object({ id, reason: ConsoleEnd })) }),
  callers: ['ssh-agent'],
});

/** Ends a console, with the `failure` when the host could not be reached. */
export const finishConsole = contract('sites.consoles.finish', {
  input: ByteCounts.extend({ agent, reason: ConsoleEnd, version: z.int().nullable(), failure: JobError.nullable() }),
  output: z.object({}),
  callers: ['ssh-agent'],
});
