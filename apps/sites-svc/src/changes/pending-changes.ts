import { Injectable } from '@nestjs/common';
import { changeCodes } from '@vigie/contracts/changes';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { ChangeKind, JobTicket } from '@vigie/contracts/jobs';
import type { EntityManager } from 'typeorm';
import { PendingJobs } from '../queue/pending-jobs';
import { Jobs } from '../queue/jobs';
import { auditChanges } from './audit-changes';
import {
  findOpenChanges,
  alreadyChanging,
  isSameChange,
  openChangeOf,
  type OpenChange,
  type OpenChanges,
} from './open-changes';
import type { ChangeRequest } from './change-requests';

const maxRefusals = 50;

/** Creates jobs that change items. A request for an open change returns its job; another change of the item is refused. */
@Injectable()
export class PendingChanges {
  constructor(
    private readonly jobs: Jobs,
    private readonly pendingJobs: PendingJobs,
  ) {}

  /** `find` locks the site's row, so that two requests cannot both find no open change. */
  createOne(
    contract: Contract,
    input: object,
    find: (manager: EntityManager) => Promise<ChangeRequest | AppError>,
  ): Promise<JobTicket> {
    return this.pendingJobs.createOnce(contract, input, async (manager) => {
      const request = await find(manager);
      const open =
        request instanceof AppError
          ? undefined
          : openChangeOf(await findOpenChanges(manager, [request.target.id]), request);
      const isShared = open && !(request instanceof AppError) && isSameChange(open, request);
      return {
        pendingId: isShared ? open.id : undefined,
        createJob: (id) => this.createJob(manager, id, request, open),
      };
    });
  }

  /** Creates a batch. A change that is refused gets a failed job with the reason. */
  createBatch(
    contract: Contract,
    input: object,
    kind: ChangeKind,
    find: (manager: EntityManager) => Promise<ChangeRequest[]>,
  ): Promise<JobTicket> {
    return this.pendingJobs.createOnce(contract, input, async (manager) => {
      const requests = await find(manager);
      const openChanges = await findOpenChanges(manager, [...new Set(requests.map(({ target }) => target.id))]);
      const lines = requests.map((request) => ({ ...request, refusal: refusalOf(request, openChanges) }));
      return {
        pendingId: findSharedBatch(requests, openChanges),
        createJob: (id) => this.createJobs(manager, { id, kind, lines }),
      };
    });
  }

  private async createJob(
    manager: EntityManager,
    id: string,
    request: ChangeRequest | AppError,
    open: OpenChange | undefined,
  ) {
    if (request instanceof AppError) throw request;
    if (open) throw alreadyChanging(request);
    const { refusal, ...job } = request;
    if (refusal) throw refusal;
    await this.jobs.add(manager, { ...job, id, isExclusive: true });
    await auditChanges(manager, [{ ...request, id }]);
  }

  private async createJobs(
    manager: EntityManager,
    { id, kind, lines }: { id: string; kind: ChangeKind; lines: readonly ChangeRequest[] },
  ) {
    const possible = lines.filter(({ refusal }) => !refusal);
    if (possible.length === 0) throw nothingPossible(lines);
    await this.jobs.addBatch(manager, { id, kind, isExclusive: true, requests: lines });
    await auditChanges(
      manager,
      possible.map((request) => ({ ...request, id })),
    );
  }
}

/** Returns the batch when all requested changes are open jobs of one batch. */
function findSharedBatch(requests: readonly ChangeRequest[], openChanges: OpenChanges): string | undefined {
  const batches = new Set(
    requests.map((request) => {
      const open = openChangeOf(openChanges, request);
      return open && isSameChange(open, request) ? open.batch_id : null;
    }),
  );
  const [batch] = batches;
  return batches.size === 1 ? (batch ?? undefined) : undefined;
}

function refusalOf(request: ChangeRequest, openChanges: OpenChanges): AppError | undefined {
  const open = openChangeOf(openChanges, request);
  return open ? alreadyChanging(request) : request.refusal;
}

function nothingPossible(lines: readonly ChangeRequest[]): AppError {
  const [first] = lines;
  if (lines.length === 1 && first?.refusal) return first.refusal;
  const refusals = lines.slice(0, maxRefusals).map(({ target, input: { item }, refusal }) => ({
    site_id: target.id,
    site_name: target.name,
    kind: item.kind,
    slug: item.slug,
    name: item.name,
    message: refusal?.message,
  }));
  return new AppError('conflict', {
    message: `Rien de cette sélection ne peut être fait. ${first?.target.name}, ${first?.input.item.name}\u00a0: ${first?.refusal?.message}`,
    code: changeCodes.refused,
    refusals,
  });
}
