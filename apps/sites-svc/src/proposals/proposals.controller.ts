import { createHash } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { planChanged } from '@vigie/contracts/changed-plans';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  confirmProposal,
  createProposal,
  listProposals,
  type OrderProposal,
  type ProposalLine,
  type ProposalState,
  type ProposedOrder,
  readProposal,
  rejectProposal,
  settleProposal,
} from '@vigie/contracts/proposals';
import { findSessions } from '@vigie/contracts/session-checks';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { lockName } from '@vigie/service-kit/locks';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordInAudit } from '../activity/audit-events';
import { reachingCaller } from '../owners/reach';
import { toSharedSentence } from '../sites/failures';
import { effectiveAddress } from '../sites/site-access';
import { findSiteContexts, type SiteContexts } from '../sites/site-contexts';
import { toJsonb } from '../to-jsonb';
import { findProposal, findProposals, reachesAllSites } from './find-proposals';

/** Open proposals of one person: an assistant that repeats itself must not fill anybody's screen. */
const maxOpen = 20;

const callerName = (): string => {
  const { name, email, sub } = currentUser();
  return name ?? email ?? sub;
};

/** Plans that an assistant has proposed, and that change nothing until a person confirms them. */
@Controller()
export class ProposalsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  @Handles(createProposal)
  async create({ order, input, plan, named_site_ids: namedIds, notes, reason }: Input<typeof createProposal>) {
    const { sub, sid, token } = currentUser();
    if (plan.every(({ refusal }) => refusal !== null))
      throw new AppError('conflict', `Rien n’est possible. ${plan[0]?.refusal}`);
    const siteIds = [...new Set([...plan.map((line) => line.site_id), ...namedIds])];
    return this.database.transaction(async (manager) => {
      const contexts = await findSiteContexts(manager, siteIds);
      await refuseTooMany(manager, sub);
      const [row]: { id: string; expires_at: Date }[] = await manager.query(
        `insert into proposals (id, user_id, user_name, token_name, token_id, place, "order", input, site_ids, plan, notes, reason, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, now() + interval '1 hour') returning id, expires_at`,
        [
          uuid(),
          sub,
          callerName(),
          token ?? null,
          token === undefined ? null : sid,
          order === 'restore' ? placeOf(contexts, plan[0]?.site_id) : null,
          order,
          toJsonb(input),
          siteIds,
          toJsonb(plan.map((line) => toSharedLine(line, contexts))),
          toJsonb(notes),
          reason,
        ],
      );
      if (!row) throw new Error('an inserted row is returned');
      await recordInAudit(manager, [
        { action: 'proposal_create', target: order, targetId: row.id, details: { sites: siteIds.length } },
      ]);
      return { id: row.id, expires_at: row.expires_at.toISOString() };
    });
  }

  @Handles(listProposals)
  async list(page: Input<typeof listProposals>) {
    return findProposals(this.database.manager, page);
  }

  @Handles(readProposal)
  async read({ id }: Input<typeof readProposal>): Promise<OrderProposal> {
    return (await findProposal(this.database.manager, id)).proposal;
  }

  @Handles(confirmProposal)
  async confirm({ id }: Input<typeof confirmProposal>) {
    await this.refuseEndedToken(id);
    const confirmed = await this.database.transaction(async (manager) => {
      const taken = await takeOpen(manager, id, 'confirmed', true);
      if (taken) {
        if (await isElsewhere(manager, id)) return refuseMoved(manager, id);
        await auditSettled(manager, id, 'proposal_confirm');
        return { ...taken, is_repeated: false };
      }
      const unsettled = await findUnsettled(manager, id);
      if (unsettled) return { ...unsettled, is_repeated: true };
      throw await refusalOf(manager, id);
    });
    if (confirmed instanceof AppError) throw confirmed;
    return confirmed;
  }

  /** Who revokes a token no longer trusts what came by it. */
  private async refuseEndedToken(id: string): Promise<void> {
    const { proposal, tokenId } = await findProposal(this.database.manager, id);
    if (proposal.state !== 'open' || tokenId === null) return;
    const { items } = await this.bus.call(findSessions, { sids: [tokenId] });
    if (items.length === 0) throw new AppError('conflict', endedToken);
  }

  @Handles(settleProposal)
  async settle({ id, job_id: jobId, refusal, reopens }: Input<typeof settleProposal>) {
    await this.database.transaction(async (manager) => {
      // A known job is the truth: another attempt of the same confirmation may have been refused meanwhile.
      const [rows]: [unknown[], number] = await manager.query(jobId === null && reopens ? reopened : settled, [
        id,
        jobId,
        refusal,
        currentUser().sub,
        callerName(),
      ]);
      if (rows.length > 0 && jobId === null) await auditSettled(manager, id, 'proposal_refuse', { refusal, reopens });
    });
    return {};
  }

  @Handles(rejectProposal)
  async reject({ id }: Input<typeof rejectProposal>): Promise<OrderProposal> {
    return this.database.transaction(async (manager) => {
      await findProposal(manager, id);
      if (!(await takeOpen(manager, id, 'rejected', false))) throw await refusalOf(manager, id);
      await auditSettled(manager, id, 'proposal_reject');
      return (await findProposal(manager, id)).proposal;
    });
  }
}

const endedToken =
  'Le jeton par lequel cette proposition est venue a été révoqué ou a expiré depuis\u00a0: elle ne peut plus être exécutée.';

/** The proposal is read by others than the person for whom the plan was made. */
const toSharedLine = (line: ProposalLine, contexts: SiteContexts): ProposalLine => ({
  ...line,
  site_url: contexts.get(line.site_id)?.site.url ?? null,
  warnings: line.warnings.map(toSharedSentence),
  refusal: line.refusal === null ? null : toSharedSentence(line.refusal),
});

/** A job of an attempt that ended late is known although another attempt has opened the proposal again. */
const settled = `update proposals set job_id = $2, refusal = $3, settled_by = $4, settled_by_name = $5,
    settled_at = coalesce(settled_at, now()), state = case when $2::uuid is null then 'refused' else 'confirmed' end
  where id = $1 and job_id is null
    and (state in ('confirmed', 'refused') and settled_by = $4 or state = 'open' and $2::uuid is not null) returning id`;

/** The same parameters as the other statement. */
const reopened = `update proposals set state = 'open', settled_by = null, settled_by_name = null, settled_at = null
  where id = $1 and state = 'confirmed' and settled_by = $4 and job_id is null
    and $2::uuid is null and $3::text is not null and $5::text is not null returning id`;

/** Where a restore would write: another address, host or folder is another site, under the same id. */
function placeOf(contexts: SiteContexts, siteId: string | undefined): string | null {
  const context = siteId === undefined ? undefined : contexts.get(siteId);
  if (!context) return null;
  const { site, server } = context;
  const where = JSON.stringify([site.url, site.path, server?.id ?? null, effectiveAddress(site, server)]);
  return createHash('sha256').update(where).digest('hex');
}

async function isElsewhere(manager: EntityManager, id: string): Promise<boolean> {
  const [row]: { place: string; site_id: string }[] = await manager.query(
    `select place, plan -> 0 ->> 'site_id' as site_id from proposals where id = $1 and place is not null`,
    [id],
  );
  if (!row) return false;
  return placeOf(await findSiteContexts(manager, [row.site_id]), row.site_id) !== row.place;
}

const moved =
  'L’adresse, le serveur ou le dossier de ce site a changé depuis que le plan a été établi\u00a0: rien n’est restauré.';

/** Answers the refusal, so that the transaction keeps it. */
async function refuseMoved(manager: EntityManager, id: string): Promise<AppError> {
  await manager.query(`update proposals set state = 'refused', refusal = $2 where id = $1`, [id, moved]);
  await auditSettled(manager, id, 'proposal_refuse', { refusal: moved });
  return planChanged(moved);
}

async function refuseTooMany(manager: EntityManager, userId: string): Promise<void> {
  await lockName(manager, 'proposals', userId);
  const [{ open } = { open: 0 }]: { open: number }[] = await manager.query(
    `select count(*)::int as open from proposals where user_id = $1 and state = 'open' and expires_at > now()`,
    [userId],
  );
  if (open < maxOpen) return;
  throw new AppError(
    'too_many',
    `Vous avez déjà ${maxOpen}\u00a0propositions ouvertes\u00a0: confirmez-en ou refusez-en dans Vigie.`,
  );
}

type Order = { order: ProposedOrder; input: Record<string, unknown> };

/** One statement decides, so that a proposal is confirmed or rejected once. */
async function takeOpen(
  manager: EntityManager,
  id: string,
  state: 'confirmed' | 'rejected',
  needsAllSites: boolean,
): Promise<Order | undefined> {
  const [rows]: [Order[], number] = await manager.query(
    `update proposals p set state = $2, settled_by = $3, settled_by_name = $4, settled_at = now()
     where p.id = $1 and p.state = 'open' and p.expires_at > now()
       and ($5::uuid is null or true) ${needsAllSites ? `and ${reachesAllSites('$5')}` : ''}
     returning p."order", p.input`,
    [id, state, currentUser().sub, callerName(), reachingCaller()],
  );
  return rows[0];
}

/** The confirmation ended before its job was known. An order is recognized for a day, so an hour is safe. */
async function findUnsettled(manager: EntityManager, id: string): Promise<Order | undefined> {
  const [order]: Order[] = await manager.query(
    `select "order", input from proposals where id = $1 and state = 'confirmed' and job_id is null and settled_by = $2
       and settled_at > now() - interval '1 hour'`,
    [id, currentUser().sub],
  );
  return order;
}

const settledSentences: Record<Exclude<ProposalState, 'open'>, string> = {
  confirmed: 'Cette proposition a déjà été exécutée.',
  refused: 'Cette proposition n’est plus valable\u00a0: les sites ont changé depuis.',
  rejected: 'Cette proposition a déjà été refusée.',
  expired: 'Cette proposition a expiré\u00a0: elle valait une heure. Redemandez-la à l’assistant.',
};

async function refusalOf(manager: EntityManager, id: string): Promise<AppError> {
  const { proposal } = await findProposal(manager, id);
  if (proposal.state !== 'open') return new AppError('conflict', settledSentences[proposal.state]);
  return new AppError('forbidden', 'Vous n’avez pas le droit d’agir sur tous les sites de cette proposition.');
}

async function auditSettled(
  manager: EntityManager,
  id: string,
  action: 'proposal_confirm' | 'proposal_refuse' | 'proposal_reject',
  details: Record<string, unknown> = {},
): Promise<void> {
  const [row]: { order: string; user_name: string; token_name: string | null }[] = await manager.query(
    'select "order", user_name, token_name from proposals where id = $1',
    [id],
  );
  const proposedBy = { user: row?.user_name, token: row?.token_name };
  await recordInAudit(manager, [
    { action, target: row?.order ?? null, targetId: id, details: { proposed_by: proposedBy, ...details } },
  ]);
}
