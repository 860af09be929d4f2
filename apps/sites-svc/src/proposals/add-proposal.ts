import { AppError } from '@vigie/contracts/errors';
import type { ProposalLine } from '@vigie/contracts/proposals';
import type { ProposedOrder } from '@vigie/contracts/proposed-order';
import { currentUser } from '@vigie/service-kit/context';
import { lockName } from '@vigie/service-kit/locks';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { toJsonb } from '../to-jsonb';
import { callerName } from '../owners/caller-name';
import { isOpenProposal } from './find-proposals';
import { recordProposal } from './record-proposal';

/** Open proposals of one person: an assistant that repeats itself must not fill anybody's screen. */
const maxOpen = 20;

type NewProposal = {
  order: ProposedOrder;
  input: Record<string, unknown>;
  place: string | null;
  siteIds: readonly string[];
  lines: readonly ProposalLine[];
  notes: readonly string[];
  reason: string | null;
};

type Row = { id: string; expires_at: Date };

const toAnswer = ({ id, expires_at: at }: Row) => ({ id, expires_at: at.toISOString() });

/** Stores a proposal, unless the same token has proposed the same order already and it is still open. */
export async function addProposal(manager: EntityManager, proposal: NewProposal) {
  // Of two calls at once, the second one waits here and finds the proposal of the first one.
  await lockName(manager, 'proposals', currentUser().sub);
  const open = await findSame(manager, proposal);
  if (open) return toAnswer(open);
  await refuseTooMany(manager);
  const { order, input, place, siteIds, lines, notes, reason } = proposal;
  const { sub, token } = currentUser();
  const [row]: Row[] = await manager.query(
    `insert into proposals (id, user_id, user_name, token_name, token_id, place, "order", input, site_ids, plan, notes, reason, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, now() + interval '1 hour') returning id, expires_at`,
    [
      uuid(),
      sub,
      callerName(),
      token ?? null,
      tokenId(),
      place,
      order,
      toJsonb(input),
      siteIds,
      toJsonb(lines),
      toJsonb(notes),
      reason,
    ],
  );
  if (!row) throw new Error('an inserted row is returned');
  await recordProposal(manager, row.id, 'proposal_create', { sites: siteIds.length });
  return toAnswer(row);
}

const tokenId = (): string | null => {
  const { sid, token } = currentUser();
  return token === undefined ? null : sid;
};

/** The sites that the plan left out belong to it too: who may not act on them confirms none of it. */
async function findSame(
  manager: EntityManager,
  { order, input, place, siteIds }: NewProposal,
): Promise<Row | undefined> {
  const [row]: Row[] = await manager.query(
    `select p.id, p.expires_at from proposals p
     where p.user_id = $1 and p.token_id is not distinct from $2::uuid and p."order" = $3 and p.input = $4::jsonb
       and p.place is not distinct from $5 and p.site_ids @> $6::uuid[] and p.site_ids <@ $6::uuid[] and ${isOpenProposal('p')}`,
    [currentUser().sub, tokenId(), order, toJsonb(input), place, siteIds],
  );
  return row;
}

async function refuseTooMany(manager: EntityManager): Promise<void> {
  const [{ open } = { open: 0 }]: { open: number }[] = await manager.query(
    `select count(*)::int as open from proposals p where p.user_id = $1 and ${isOpenProposal('p')}`,
    [currentUser().sub],
  );
  if (open < maxOpen) return;
  throw new AppError(
    'too_many',
    `Vous avez déjà ${maxOpen}\u00a0propositions ouvertes\u00a0: confirmez-en ou refusez-en dans Vigie.`,
  );
}
