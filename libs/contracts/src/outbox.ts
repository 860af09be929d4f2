import { z } from 'zod';
import { ActivityType } from './activity';
import { contract, event } from './contract';
import { id, timestamp } from './text';

/** An event that must reach other services: written in the transaction of its change, and pulled by readers. */
export const OutboxEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('activity'),
    type: ActivityType,
    owner_id: id.nullable(),
    actor_id: id.nullable(),
    actor_name: z.string().nullable(),
    /** The site of the action, with its name at that time. */
    site: z.object({ id, name: z.string() }).nullish(),
    details: z.record(z.string(), z.unknown()),
    at: timestamp,
  }),
  /** Everything the user owned passes to the heir, except the DNS configuration, which is deleted. */
  z.object({ kind: z.literal('user_deleted'), user_id: id, heir_id: id }),
  z.object({ kind: z.literal('user_role_changed'), user_id: id, role: z.enum(['admin', 'client']) }),
  /** A person ended the token before its time. */
  z.object({ kind: z.literal('token_revoked'), token_id: id }),
  z.object({ kind: z.literal('site_deleted'), site_id: id }),
  z.object({ kind: z.literal('site_owner_changed'), site_id: id, owner_id: id }),
]);
export type OutboxEvent = z.infer<typeof OutboxEvent>;

/** A reader's position: the transaction and row after which it continues. */
export const OutboxCursor = z.object({ xid: z.string().regex(/^\d+$/), seq: z.string().regex(/^\d+$/) });
export type OutboxCursor = z.infer<typeof OutboxCursor>;

export const OutboxBatch = z.object({
  items: z.array(z.object({ id, cursor: OutboxCursor, fact: z.unknown() })),
  has_more: z.boolean(),
  /** Number of remaining events, counted up to a limit. */
  left: z.int().min(0).default(0),
});
export type OutboxBatch = z.infer<typeof OutboxBatch>;

const page = z.object({ after: OutboxCursor, limit: z.int().min(1).max(500) });

/** Reads auth-svc's events after a cursor, oldest first. */
export const readAuthOutbox = contract('auth.outbox.read', {
  input: page,
  output: OutboxBatch,
  callers: ['sites-svc', 'dns-svc'],
});

/** A hint that new events can be pulled. */
export const authOutboxWritten = event('auth.outbox.written', { payload: z.object({}), publisher: 'auth-svc' });

export const readSitesOutbox = contract('sites.outbox.read', {
  input: page,
  output: OutboxBatch,
  callers: ['dns-svc'],
});

export const sitesOutboxWritten = event('sites.outbox.written', { payload: z.object({}), publisher: 'sites-svc' });

export const readDnsOutbox = contract('dns.outbox.read', {
  input: page,
  output: OutboxBatch,
  callers: ['sites-svc'],
});

export const dnsOutboxWritten = event('dns.outbox.written', { payload: z.object({}), publisher: 'dns-svc' });
