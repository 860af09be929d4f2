import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  confirmProposal,
  createProposal,
  listProposals,
  type OrderProposal,
  type ProposalLine,
  type ProposalState,
  readProposal,
  rejectProposal,
  settleProposal,
} from '@vigie/contracts/proposals';
import { findSessions } from '@vigie/contracts/session-checks';
import { Bus } from '@vigie/service-kit/bus';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { toSharedSentence } from '../sites/failures';
import { findSiteContexts, type SiteContexts } from '../sites/site-contexts';
import { placeOf } from '../sites/site-place';
import { addProposal } from './add-proposal';
import { findProposal, findProposals } from './find-proposals';
import { recordProposal } from './record-proposal';
import { findUnsettled, settleConfirmed, takeOpen } from './settle-proposals';

/** Plans that an assistant has proposed, and that change nothing until a person confirms them. */
@Controller()
export class ProposalsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  @Handles(createProposal)
  async create({ order, input, plan, named_site_ids: namedIds, notes, reason }: Input<typeof createProposal>) {
    if (plan.every(({ refusal }) => refusal !== null))
      throw new AppError('conflict', `Rien n’est possible. ${plan[0]?.refusal}`);
    const siteIds = [...new Set([...plan.map((line) => line.site_id), ...namedIds])];
    return this.database.transaction(async (manager) => {
      const contexts = await findSiteContexts(manager, siteIds);
      const site = isBoundToPlace[order] ? contexts.get(plan[0]?.site_id ?? '') : undefined;
      const lines = plan.map((line) => toSharedLine(line, contexts));
      const place = site ? placeOf(site) : null;
      return addProposal(manager, { order, input, place, siteIds, lines, notes, reason });
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
    const { proposal, tokenId } = await findProposal(this.database.manager, id);
    if (!proposal.can_confirm) throw refusalOf(proposal.state);
    if (proposal.state === 'open') await this.refuseEndedToken(tokenId);
    return this.database.transaction(async (manager) => {
      const taken = await takeOpen(manager, id, 'confirmed');
      if (taken) {
        await recordProposal(manager, id, 'proposal_confirm');
        return { ...taken, is_repeated: false };
      }
      const unsettled = await findUnsettled(manager, id);
      if (unsettled) return { ...unsettled, is_repeated: true };
      throw settledMeanwhile();
    });
  }

  /** Who revokes a token no longer trusts what came by it. */
  private async refuseEndedToken(tokenId: string | null): Promise<void> {
    if (tokenId === null) return;
    const { items } = await this.bus.call(findSessions, { sids: [tokenId] });
    if (items.length === 0) throw new AppError('conflict', endedToken);
  }

  @Handles(settleProposal)
  async settle({ id, job_id: jobId, refusal, reopens }: Input<typeof settleProposal>) {
    await this.database.transaction(async (manager) => {
      const isChanged = await settleConfirmed(manager, id, { jobId, refusal, reopens });
      if (isChanged && jobId === null) await recordProposal(manager, id, 'proposal_refuse', { refusal, reopens });
    });
    return {};
  }

  @Handles(rejectProposal)
  async reject({ id }: Input<typeof rejectProposal>): Promise<OrderProposal> {
    return this.database.transaction(async (manager) => {
      const { proposal } = await findProposal(manager, id);
      if (proposal.state !== 'open') throw refusalOf(proposal.state);
      if (!(await takeOpen(manager, id, 'rejected'))) throw settledMeanwhile();
      await recordProposal(manager, id, 'proposal_reject');
      return (await findProposal(manager, id)).proposal;
    });
  }
}

/** An order that brings back or moves files of one site, which must still be where it was. */
const isBoundToPlace: Readonly<Record<OrderProposal['order'], boolean>> = {
  updates: false,
  backups: false,
  restore: true,
  rollback: true,
  repair: true,
};

const endedToken =
  'Le jeton par lequel cette proposition est venue a été révoqué ou a expiré depuis\u00a0: elle ne peut plus être exécutée.';

/** The proposal is read by others than the person for whom the plan was made. */
const toSharedLine = (line: ProposalLine, contexts: SiteContexts): ProposalLine => ({
  ...line,
  site_url: contexts.get(line.site_id)?.site.url ?? null,
  warnings: line.warnings.map(toSharedSentence),
  refusal: line.refusal === null ? null : toSharedSentence(line.refusal),
});

const settledSentences: Record<Exclude<ProposalState, 'open'>, string> = {
  confirmed: 'Cette proposition a déjà été confirmée.',
  unknown:
    'Cette proposition a déjà été confirmée, et on ne sait pas ce qu’il en est advenu\u00a0: regardez dans les tâches.',
  refused: 'Cette proposition n’est plus valable\u00a0: les sites ont changé depuis.',
  rejected: 'Cette proposition a déjà été refusée.',
  expired: 'Cette proposition a expiré\u00a0: elle valait une heure. Redemandez-la à l’assistant.',
};

const refusalOf = (state: ProposalState): AppError =>
  state === 'open'
    ? new AppError('forbidden', 'Vous n’avez pas le droit d’agir sur tous les sites de cette proposition.')
    : new AppError('conflict', settledSentences[state]);

const settledMeanwhile = () =>
  new AppError('conflict', 'Cette proposition vient d’être confirmée ou refusée, ou elle a expiré. Rechargez la page.');
