import { Injectable } from '@nestjs/common';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { JobTicket } from '@vigie/contracts/jobs';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { Job } from './job.entity';
import { Jobs } from './jobs';

/** What is asked for, once it is known where. */
type Wanted = {
  /** The job that is this already. */
  open: string | undefined;
  /** Accepts it under this id, or throws why it must not be. */
  begin: (id: string) => Promise<unknown>;
};

/** Work that somebody asks for: done once, however often it is asked, and refused only where it is not there already. */
@Injectable()
export class Asked {
  constructor(
    private readonly database: DataSource,
    private readonly jobs: Jobs,
    private readonly creations: IdempotencyKeys,
  ) {}

  async once(contract: Contract, input: object, find: (manager: EntityManager) => Promise<Wanted>): Promise<JobTicket> {
    const ticket = await this.database.transaction(async (manager) => {
      const { open, begin } = await find(manager);
      const id = open ?? uuid();
      const known = await this.creations.claim(manager, contract, input, id);
      if (known === undefined && open === undefined) await begin(id);
      return ticketOf(manager, known ?? id);
    });
    this.jobs.announce();
    return ticket;
  }
}

async function ticketOf(manager: EntityManager, id: string): Promise<JobTicket> {
  const job = await manager.findOne(Job, { where: { id }, select: { id: true, state: true } });
  if (!job) throw new AppError('not_found', 'Cette tâche n’existe pas ou n’existe plus.');
  return { job_id: job.id, state: job.state };
}
