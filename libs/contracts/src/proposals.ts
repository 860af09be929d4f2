import { z } from 'zod';
import { ItemKind } from './changes';
import { contract } from './contract';
import { JobTicket } from './jobs';
import { ProposedOrder } from './proposed-order';
import { RestoreMode, RestoreScope } from './restores';
import { cleanLine, id, offset, oneOf, timestamp } from './text';

/**
 * A proposal is `refused` when the order refused it once it was confirmed, because something had changed. It is `unknown`
 * when it was confirmed and nobody knows whether its order was given.
 */
export const ProposalState = z.enum(['open', 'confirmed', 'unknown', 'refused', 'rejected', 'expired']);
export type ProposalState = z.infer<typeof ProposalState>;

/** One line of the plan that was shown to the assistant, and that the person sees. */
const ProposalLine = z.object({
  site_id: id,
  site_name: z.string(),
  /** The address that the site had when the plan was made; sites-svc adds it. */
  site_url: z.string().nullable().default(null),
  /** The kind and the slug of an item: it may call itself by any name. */
  kind: ItemKind.nullable().default(null),
  slug: z.string().nullable().default(null),
  /** The item or the archive that the order is about. */
  name: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** When the archive or the copy that comes back was made. */
  made_at: timestamp.nullable().default(null),
  warnings: z.array(z.string()),
  /** Why this line is not part of the order. */
  refusal: z.string().nullable(),
});
export type ProposalLine = z.infer<typeof ProposalLine>;

export const maxProposalLines = 500;

const summary = {
  id,
  order: ProposedOrder,
  state: ProposalState,
  /** Numbers of sites and lines that the order would change. */
  sites: z.int(),
  lines: z.int(),
  proposed_by: z.object({ user_id: id, name: z.string(), token: z.string().nullable() }),
  created_at: timestamp,
  expires_at: timestamp,
  /** The seconds until then, by the clock of the server; 0 once it is no longer open. */
  seconds_left: z.int().min(0).default(0),
  /** Who confirmed or rejected it. */
  settled_by: z.string().nullable(),
  settled_at: timestamp.nullable(),
  job_id: id.nullable(),
};

const ProposalItem = z.object(summary);
export type ProposalItem = z.infer<typeof ProposalItem>;

/** A person who may not operate all sites of a proposal reads its state and dates: plan and notes are empty. */
export const OrderProposal = ProposalItem.extend({
  plan: z.array(ProposalLine),
  notes: z.array(z.string()),
  /** What the assistant wrote; nobody has checked it. */
  reason: z.string().nullable(),
  /** What the order answered when it was confirmed. */
  refusal: z.string().nullable(),
  /** What a restore would bring back; null for other orders. */
  restore: z.object({ mode: RestoreMode, scope: RestoreScope }).nullable().default(null),
  /** Whether the caller may confirm it now, or again if its outcome is unknown. */
  can_confirm: z.boolean().default(false),
});
export type OrderProposal = z.infer<typeof OrderProposal>;

/**
 * Stores a plan that was shown to an assistant, for the user by whose token it acts. Changes nothing else. Answers the open
 * proposal of the same token with the same input, if there is one.
 */
export const createProposal = contract('sites.proposals.create', {
  grantRole: 'operator',
  callers: ['gateway'],
  input: z.object({
    order: ProposedOrder,
    /** The input of the order's contract, bound to the plan. */
    input: z.record(z.string(), z.unknown()),
    plan: z.array(ProposalLine).min(1).max(maxProposalLines),
    /** Sites that the plan names without changing them. */
    named_site_ids: z.array(id).max(10).default([]),
    notes: z.array(z.string().max(1_000)).max(20),
    reason: z
      .string()
      .max(1_000)
      .default('')
      .transform((text) => cleanLine(text) || null),
  }),
  output: z.object({ id, expires_at: timestamp }),
});

/** Lists the caller's own proposals, and those about sites all of which the caller may operate; the newest first. */
export const listProposals = contract('sites.proposals.list', {
  http: 'GET /api/proposals',
  access: 'user',
  grantRole: 'operator',
  reads: ['proposals'],
  input: z.object({
    state: oneOf(ProposalState.options).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
    offset,
  }),
  output: z.object({ items: z.array(ProposalItem), total: z.int() }),
});

export const readProposal = contract('sites.proposals.read', {
  http: 'GET /api/proposals/:id',
  access: 'user',
  grantRole: 'operator',
  reads: ['proposals'],
  input: z.object({ id }),
  output: OrderProposal,
});

/**
 * Confirms an open proposal, once. The gateway then gives the order in the name of who confirmed it, whose rights the
 * order's own contract checks. Who confirmed it gets the same order again until its job is known.
 */
export const confirmProposal = contract('sites.proposals.confirm', {
  http: 'POST /api/proposals/:id/confirm',
  access: 'fresh',
  status: 202,
  grantRole: 'operator',
  answer: { custom: JobTicket },
  changes: ['proposals', 'jobs', 'changes', 'backup-jobs', 'activity'],
  input: z.object({ id }),
  output: z.object({ order: ProposedOrder, input: z.record(z.string(), z.unknown()), is_repeated: z.boolean() }),
});

/** Records what came of the order of a confirmed proposal: it is open again after a refusal that another attempt may not meet. */
export const settleProposal = contract('sites.proposals.settle', {
  grantRole: 'operator',
  callers: ['gateway'],
  input: z.object({ id, job_id: id.nullable(), refusal: z.string().max(2_000).nullable(), reopens: z.boolean() }),
  output: z.object({}),
});

export const rejectProposal = contract('sites.proposals.reject', {
  http: 'POST /api/proposals/:id/reject',
  access: 'user',
  grantRole: 'operator',
  changes: ['proposals', 'activity'],
  input: z.object({ id }),
  output: OrderProposal,
});
