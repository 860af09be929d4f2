import { z } from 'zod';
import { ConsoleSize } from './consoles';
import { contract, event } from './contract';
import { SshAccess } from './credentials';
import { JobError } from './jobs';
import { wpPath } from './site-address';
import { id } from './text';

// What gateways and agents ask about the shells of consoles. Pages load none of it.

const bytes = z.int().min(0);

export const ConsoleEnd = z.enum([
  'exited',
  'closed',
  'abandoned',
  'session_ended',
  'server_gone',
  'site_gone',
  'ssh',
  'agent_stopped',
  'agent_lost',
]);
export type ConsoleEnd = z.infer<typeof ConsoleEnd>;

/** A console is on a server, or without one on a site. */
const place = { server_id: id.nullish(), site_id: id.nullish() };

/** Redeems a ticket, which is used up even when the connection fails afterwards. */
export const redeemTicket = contract('sites.consoles.redeem', {
  input: z.object({ ticket_hash: z.string().regex(/^[0-9a-f]{64}$/), ...place }),
  output: z.object({ sid: id, sub: id, admin_mode: z.boolean() }),
  callers: ['gateway'],
});

/** Reserves a console of the acting user on a server, in the folder of a site if one is named, or on a site. */
export const openConsole = contract('sites.consoles.open', {
  grantRole: 'operator',
  input: z.object(place),
  output: z.object({ id }),
  callers: ['gateway'],
});

/** Checks that the acting user may return to a console; `is_over` when this user's console has ended. */
export const attachConsole = contract('sites.consoles.attach', {
  grantRole: 'operator',
  input: z.object({ id, ...place }),
  output: z.object({ is_over: z.boolean() }),
  callers: ['gateway'],
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
  /** An agent of the release before does not know `for_sites`, and would tell guests of the connection. */
  input: z.object({ id, agent, for_sites: z.boolean().default(false) }),
  output: z.object({
    access: SshAccess,
    user_id: id,
    sid: id,
    /** Where the shell begins; null for the home of its user. */
    folder: wpPath.nullable().default(null),
    /** Its user, with whom the site is shared, is told nothing of the connection when it fails. */
    is_shared: z.boolean().default(false),
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
