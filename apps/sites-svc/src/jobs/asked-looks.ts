import { Injectable } from '@nestjs/common';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { JobTicket } from '@vigie/contracts/jobs';
import { currentUser } from '@vigie/service-kit/context';
import { Creations } from '@vigie/service-kit/creations';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { Job } from './job.entity';
import { Jobs, type Order } from './jobs';

type Asked = Required<Pick<Order, 'on' | 'input'>>;

/**
 * Looks that somebody asks for. Whoever asks for one that is under way shares it: each one of its own would be one more
 * login to refuse.
 */
@Injectable()
export class AskedLooks {
  constructor(
    private readonly database: DataSource,
    private readonly jobs: Jobs,
    private readonly creations: Creations,
  ) {}

  async one(
    contract: Contract,
    input: object,
    find: (manager: EntityManager) => Promise<Asked & { kind: string }>,
  ): Promise<JobTicket> {
    const ticket = await this.database.transaction(async (manager) => {
      const order = { ...(await find(manager)), isLook: true };
      const open = await this.jobs.findOpen(manager, order);
      const id = open?.id ?? uuid();
      const known = await this.creations.claim(manager, contract, input, id);
      if (known === undefined && !open) await this.jobs.add(manager, { ...order, id });
      return ticketOf(manager, known ?? id);
    });
    this.jobs.announce();
    return ticket;
  }

  /** Asked again while the same looks are under way, it is the same batch. */
  async many(
    contract: Contract,
    input: object,
    kind: string,
    find: (manager: EntityManager) => Promise<Asked[]>,
  ): Promise<JobTicket> {
    const ticket = await this.database.transaction(async (manager) => {
      await manager.query("select pg_advisory_xact_lock(hashtext(current_schema() || '.looks.' || $1))", [
        currentUser().sub,
      ]);
      const orders = await find(manager);
      const owners = new Set(orders.map(({ on }) => on.ownerId));
      // What is done to one person's is that person's to see.
      const ownerId = owners.size === 1 ? orders[0]?.on.ownerId : undefined;
      const open = await findOpenBatch(manager, kind, ownerId, orders);
      const id = open ?? uuid();
      const known = await this.creations.claim(manager, contract, input, id);
      if (known === undefined && open === undefined) {
        await this.jobs.addBatch(manager, { id, kind, ownerId, orders, isLook: true });
      }
      return ticketOf(manager, known ?? id);
    });
    this.jobs.announce();
    return ticket;
  }
}

export async function ticketOf(manager: EntityManager, id: string): Promise<JobTicket> {
  const job = await manager.findOne(Job, { where: { id }, select: { id: true, state: true } });
  if (!job) throw new AppError('not_found', 'Cette tâche n’existe pas ou n’existe plus.');
  return { job_id: job.id, state: job.state };
}

/** Of the same as they are now, with none of it called off. */
async function findOpenBatch(
  manager: EntityManager,
  kind: string,
  ownerId: string | undefined,
  orders: readonly Asked[],
): Promise<string | undefined> {
  const { sub } = currentUser();
  const [open]: { id: string }[] = await manager.query(
    `with wanted as (
       select array_agg((o ->> 'id') || '@' || (o -> 'input')::text order by o ->> 'id') as looks
       from jsonb_array_elements($4::jsonb) o)
     select b.id from jobs b cross join wanted cross join lateral (
       select array_agg(coalesce(c.server_id, c.site_id) || '@' || c.input::text
           order by coalesce(c.server_id, c.site_id)::text) as looks,
         bool_or(c.cancel_asked_at is not null or c.state = 'cancelled') as is_cancelled
       from jobs c where c.batch_id = b.id
     ) t
     where b.owner_id = $1 and b.batch_id is null and b.created_at > now() - interval '1 hour'
       and b.is_batch and b.kind = $2 and b.actor_id = $3 and b.state in ('queued', 'running')
       and t.looks = wanted.looks and not t.is_cancelled
     order by b.created_at desc limit 1`,
    [ownerId ?? sub, kind, sub, JSON.stringify(orders.map(({ on: { id }, input }) => ({ id, input })))],
  );
  return open?.id;
}
