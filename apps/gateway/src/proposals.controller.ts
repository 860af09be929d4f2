import { Controller } from '@nestjs/common';
import { isPlanChanged } from '@vigie/contracts/changed-plans';
import { applyUpdates, restoreItem } from '@vigie/contracts/changes';
import type { Contract, Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { JobTicket } from '@vigie/contracts/jobs';
import { confirmProposal, settleProposal } from '@vigie/contracts/proposals';
import type { ProposedOrder } from '@vigie/contracts/proposed-order';
import { restoreBackup } from '@vigie/contracts/restores';
import { backupSites } from '@vigie/contracts/site-batches';
import { repairSite } from '@vigie/contracts/site-repairs';
import { Bus } from '@vigie/service-kit/bus';
import { currentContext, runInContext } from '@vigie/service-kit/context';
import { isConnectionLost } from '@vigie/service-kit/failures';
import { answerTicket } from './job-answers';
import { checkInput, Exchange, FromRequest, Serves } from './routes';

/** The contract of each order that an assistant may propose. */
const orderContracts: Readonly<Record<ProposedOrder, Contract>> = {
  updates: applyUpdates,
  backups: backupSites,
  restore: restoreBackup,
  rollback: restoreItem,
  repair: repairSite,
};

@Controller()
export class ProposalsController {
  constructor(private readonly bus: Bus) {}

  /** Gives the order of a proposal in the name of the person who confirms it. */
  @Serves(confirmProposal)
  async confirm(@FromRequest() { id }: Input<typeof confirmProposal>, @Exchange() exchange: Exchange) {
    const confirmed = await this.bus.call(confirmProposal, { id });
    return answerTicket(this.giveOrder(id, confirmed), exchange);
  }

  private async giveOrder(
    id: string,
    { order, input, is_repeated: isRepeated }: Output<typeof confirmProposal>,
  ): Promise<JobTicket> {
    const contract = orderContracts[order];
    try {
      const fields = checkInput(contract, input);
      const ticket = JobTicket.parse(await withKey(`proposal-${id}`, () => this.bus.call(contract, fields)));
      await this.bus.call(settleProposal, { id, job_id: ticket.job_id, refusal: null, reopens: false });
      return ticket;
    } catch (error) {
      const reopens = !isPlanChanged(error);
      // The first attempt may have given the order of which a repeated one was refused.
      if (isFinal(error) && !(reopens && isRepeated))
        await this.bus.call(settleProposal, { id, job_id: null, refusal: error.message, reopens });
      throw error;
    }
  }
}

/** An order that may have been given is not refused: who confirmed it may repeat it under the same key. */
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError &&
  !['unavailable', 'internal', 'too_many'].includes(error.code) &&
  !isConnectionLost(error);

function withKey<T>(idempotencyKey: string, work: () => Promise<T>): Promise<T> {
  const context = currentContext();
  if (!context) throw new Error('the request has no context');
  return runInContext({ ...context, idempotencyKey }, work);
}
