import { z } from 'zod';
import { ActivityType } from './activity';
import { contract, event } from './contract';
import { id, timestamp } from './text';

/** What one service must tell another: written in the transaction that made it true, pulled by who wants to know. */
export const OutboxEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('activity'),
    type: ActivityType,
    owner_id: id.nullable(),
    actor_id: id.nullable(),
    actor_name: z.string().nullable(),
    /** Where it was done to a site, as it was called then. */
    site: z.object({ id, name: z.string() }).nullish(),
    details: z.record(z.string(), z.unknown()),
    at: timestamp,
  }),
  /** What the user owned goes to the heir; its DNS configuration goes for good. */
  z.object({ kind: z.literal('user_deleted'), user_id: id, heir_id: id }),
  z.object({ kind: z.literal('user_role_changed'), user_id: id, role: z.enum(['admin', 'client']) }),
  z.object({ kind: z.literal('site_deleted'), site_id: id }),
]);
export type OutboxEvent = z.infer<typeof OutboxEvent>;

/** Where a reader stands: the transaction and the row after which it goes on. */
export const OutboxCursor = z.object({ xid: z.string().regex(/^\d+$/), seq: z.string().regex(/^\d+$/) });
export type OutboxCursor = z.infer<typeof OutboxCursor>;

export const OutboxBatch = z.object({
  items: z.array(z.object({ id, cursor: OutboxCursor, fact: z.unknown() })),
  has_more: z.boolean(),
  /** How many more, as far as they were counted. */
  left: z.int().min(0).default(0),
});
export type OutboxBatch = z.infer<typeof OutboxBatch>;

const page = z.object({ after: OutboxCursor, limit: z.int().min(1).max(500) });

/** The facts of auth-svc after a cursor, oldest first. */
export const readAuthOutbox = contract('auth.outbox.read', {
  input: page,
  output: OutboxBatch,
  callers: ['sites-svc', 'dns-svc'],
});

/** There is something to pull. */
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
