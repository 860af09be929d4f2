import { z } from 'zod';
import { contract, event } from './contract';
import { SshAccess } from './credentials';
import { JobError } from './jobs';
import { ServerType } from './servers';
import { id, timestamp } from './text';

const bytes = z.int().min(0);
const side = z.int().min(1).max(1_000);
/** Of a terminal, in characters. */
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
  /** Somebody sees it now; else it waits for its opener. */
  is_attached: z.boolean(),
});
export type Console = z.infer<typeof Console>;

/** Why a console is over. */
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

/** Opens one websocket, within 30 s, for this user, session and server. Only its hash is kept. */
export const issueTicket = contract('sites.consoles.ticket', {
  input: z.object({ id }),
  output: z.object({ ticket: z.string(), message: z.string().optional() }),
  callers: ['gateway'],
  sealedAnswer: ['ticket'],
});

/** Whoever shows a ticket uses it up, whatever comes of it. */
export const redeemTicket = contract('sites.consoles.redeem', {
  input: z.object({ ticket_hash: z.string().regex(/^[0-9a-f]{64}$/), server_id: id }),
  output: z.object({ sid: id, sub: id, admin_mode: z.boolean() }),
  callers: ['gateway'],
});

/** A place for one more console of the acting user on a server. */
export const openConsole = contract('sites.consoles.open', {
  input: z.object({ server_id: id }),
  output: z.object({ id }),
  callers: ['gateway'],
});

/** Whether the acting user may go on with a console: `is_over` where it was its own and has ended. */
export const attachConsole = contract('sites.consoles.attach', {
  input: z.object({ id, server_id: id }),
  output: z.object({ is_over: z.boolean() }),
  callers: ['gateway'],
});

/** Oldest first. A console is its opener's alone, whoever asks. */
export const listConsoles = contract('sites.consoles.list', {
  input: z.object({}),
  output: z.object({ items: z.array(Console) }),
  callers: ['gateway'],
});

/** Ends the shell for good, within seconds. */
export const endConsole = contract('sites.consoles.end', {
  input: z.object({ id }),
  output: z.object({}),
  callers: ['gateway'],
});

/** Consoles that are to end: their agents are told at once; those that miss it hear it when they report. */
export const consolesEnding = event('sites.consoles.ending', {
  payload: z.object({ ids: z.array(id).max(1_000) }),
  publisher: 'sites-svc',
});

/** An agent's own name: of one life of one process. */
const agent = z.string().max(100);

/** Any agent takes it, connects, and is from then on the only one that answers for it. */
export const startConsole = contract('agent.consoles.start', {
  input: ConsoleSize.extend({ id }),
  output: z.object({}),
  callers: ['gateway'],
});

/** Once, by the agent that will have it. */
export const claimConsole = contract('sites.consoles.claim', {
  input: z.object({ id, agent }),
  output: z.object({ access: SshAccess, user_id: id, sid: id }),
  callers: ['ssh-agent'],
});

/** The host let us in: the first key is pinned, and nobody types before that is so. */
export const consoleOpened = contract('sites.consoles.opened', {
  input: z.object({ id, agent, version: z.int(), host_key: z.string() }),
  output: z.object({}),
  callers: ['ssh-agent'],
});

const Tally = z.object({ id, bytes_in: bytes, bytes_out: bytes });

/** What an agent has: silent for 20 s, it has lost them. Those of `over` are to end, and why. */
export const renewConsoles = contract('sites.consoles.renew', {
  input: z.object({
    agent,
    /** From the report on, a console ends with the session that its agent has last let in. */
    held: z.array(Tally.extend({ is_attached: z.boolean(), sid: id.nullish() })).max(1_000),
  }),
  output: z.object({ over: z.array(z.object({ id, reason: ConsoleEnd })) }),
  callers: ['ssh-agent'],
});

/** With why the host could not be reached, where that is so. */
export const finishConsole = contract('sites.consoles.finish', {
  input: Tally.extend({ agent, reason: ConsoleEnd, version: z.int().nullable(), failure: JobError.nullable() }),
  output: z.object({}),
  callers: ['ssh-agent'],
});
