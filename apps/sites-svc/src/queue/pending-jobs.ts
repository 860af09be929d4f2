import { Injectable } from '@nestjs/common';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { JobTicket } from '@vigie/contracts/jobs';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { DispatchSchedule } from './dispatch-schedule';
import { Job } from './job.entity';

type JobCreation = {
  /** An open job that does the requested work already. */
  pendingId: string | undefined;
  /** Creates the job under this id, or throws the refusal. */
  createJob: (id: string) => Promise<unknown>;
};

/** Creates a requested job once: repeated requests get the same job, and are never refused. */
@Injectable()
export class PendingJobs {
  constructor(
    private readonly database: DataSource,
    private readonly schedule: DispatchSchedule,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  async createOnce(
    contract: Contract,
    input: object,
    prepare: (manager: EntityManager) => Promise<JobCreation>,
  ): Promise<JobTicket> {
    const ticket = await this.database.transaction(async (manager) => {
      const { pendingId, createJob } = await prepare(manager);
      const id = pendingId ?? uuid();
      const existingId = await this.idempotencyKeys.claim(manager, contract, input, id);
      if (existingId === undefined && pendingId === undefined) await createJob(id);
      return ticketOf(manager, existingId ?? id);
    });
    this.schedule.announce();
    return ticket;
  }
}

async function ticketOf(manager: EntityManager, id: string): Promise<JobTicket> {
  const job = await manager.findOne(Job, { where: { id }, select: { id: true, state: true } });
  if (!job) throw new AppError('not_found', 'Cette tâche n’existe pas ou n’existe plus.');
  return { job_id: job.id, state: job.state };
}
