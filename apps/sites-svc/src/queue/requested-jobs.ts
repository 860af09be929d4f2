import { Injectable } from '@nestjs/common';
import { isPlanChanged } from '@vigie/contracts/changed-plans';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { JobKind, JobTicket } from '@vigie/contracts/jobs';
import { currentUser } from '@vigie/service-kit/context';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { lockName } from '@vigie/service-kit/locks';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { DispatchSchedule } from './dispatch-schedule';
import { Job, unknownJob } from './job.entity';
import { addBatch, addJob, type BatchRequest, type JobRequest } from './jobs';
import { findBatchOfChecks, findCommonBatch, findOpenWork } from './open-work';

type CheckRequest = Pick<JobRequest, 'kind' | 'target' | 'input'>;

/** Records who requested what, under the id of the job or of its batch. */
type Audit<Request> = (manager: EntityManager, id: string, requests: readonly Request[]) => Promise<void>;

type RequestedBatch<Request extends JobRequest> = Omit<BatchRequest, 'requests'> & {
  find: (manager: EntityManager) => Promise<readonly Request[]>;
  /** The refusal of several requests, none of which is possible. */
  refuseAll: (requests: readonly Request[]) => AppError;
  audit: Audit<Request>;
};

/**
 * Creates requested jobs once: requests for the same work share its open job, and a repeated request gets its job even
 * when a new one would be refused.
 */
@Injectable()
export class RequestedJobs {
  constructor(
    private readonly database: DataSource,
    private readonly schedule: DispatchSchedule,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  /** `find` locks the row of the target, so that two requests cannot both find no open job. */
  createOne<Request extends JobRequest>(
    contract: Contract,
    input: object,
    find: (manager: EntityManager) => Promise<Request | AppError>,
    audit?: Audit<Request>,
  ): Promise<JobTicket> {
    return this.createOnce(contract, input, async (manager) => {
      const request = await find(manager);
      if (request instanceof AppError) return { openId: undefined, create: () => Promise.reject(request) };
      const [open] = await findOpenWork(manager, [request]);
      const create = async (id: string) => {
        if (request.refusal) throw request.refusal;
        await addJob(manager, id, request);
        await audit?.(manager, id, [request]);
      };
      return { openId: open?.id, create };
    });
  }

  /** Shares an open batch that does all this work. A refused request gets a failed job with the reason. */
  createBatch<Request extends JobRequest>(
    contract: Contract,
    input: object,
    { kind, find, refuseAll, audit }: RequestedBatch<Request>,
  ): Promise<JobTicket> {
    return this.createOnce(contract, input, async (manager) => {
      const requests = await find(manager);
      const possible = requests.filter(({ refusal }) => !refusal);
      const create = async (id: string) => {
        if (possible.length === 0) throw (requests.length === 1 && requests[0]?.refusal) || refuseAll(requests);
        await addBatch(manager, id, { kind, requests });
        await audit(manager, id, possible);
      };
      // An open batch may make other changes than the plan that this order is bound to.
      const mayShare = !requests.some(({ refusal }) => isPlanChanged(refusal));
      return { openId: mayShare ? await findCommonBatch(manager, requests) : undefined, create };
    });
  }

  /** Requests for a running check share its job: hosts count refused logins. */
  createCheck(
    contract: Contract,
    input: object,
    find: (manager: EntityManager) => Promise<CheckRequest>,
  ): Promise<JobTicket> {
    return this.createOne(contract, input, async (manager) => toCheck(await find(manager)));
  }

  /** Shares the caller's open batch of the same checks, although some of them may have ended. */
  createChecks(
    contract: Contract,
    input: object,
    kind: JobKind,
    find: (manager: EntityManager) => Promise<readonly Omit<CheckRequest, 'kind'>[]>,
  ): Promise<JobTicket> {
    return this.createOnce(contract, input, async (manager) => {
      await lockName(manager, 'looks', currentUser().sub);
      const requests = (await find(manager)).map((check) => toCheck({ ...check, kind }));
      const batch = { kind, requests };
      return {
        openId: await findBatchOfChecks(manager, batch),
        create: (id) => addBatch(manager, id, batch),
      };
    });
  }

  private async createOnce(
    contract: Contract,
    input: object,
    prepare: (manager: EntityManager) => Promise<{
      openId: string | undefined;
      /** Creates the job, or throws the refusal. */
      create: (id: string) => Promise<void>;
    }>,
  ): Promise<JobTicket> {
    const ticket = await this.database.transaction(async (manager) => {
      // What was answered before is answered again, although what it asked for may be refused by now.
      const rememberedId = await this.idempotencyKeys.find(manager, contract, input);
      if (rememberedId !== undefined) return ticketOf(manager, rememberedId);
      const { openId, create } = await prepare(manager);
      const id = openId ?? uuid();
      const existingId = await this.idempotencyKeys.claim(manager, contract, input, id);
      if (existingId === undefined && openId === undefined) await create(id);
      return ticketOf(manager, existingId ?? id);
    });
    this.schedule.announce();
    return ticket;
  }
}

/** A check changes nothing: it waits in a lane of its own, not behind other work on its host. */
const toCheck = (check: CheckRequest) => ({ ...check, queue: 'site-looks' as const });

async function ticketOf(manager: EntityManager, id: string): Promise<JobTicket> {
  const job = await manager.findOne(Job, { where: { id }, select: { id: true, state: true } });
  if (!job) throw unknownJob();
  return { job_id: job.id, state: job.state };
}
