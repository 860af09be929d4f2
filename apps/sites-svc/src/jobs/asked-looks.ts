import { Injectable } from '@nestjs/common';
import type { Contract } from '@vigie/contracts/contract';
import type { JobKind, JobTicket } from '@vigie/contracts/jobs';
import { currentUser } from '@vigie/service-kit/context';
import { lockName } from '@vigie/service-kit/locks';
import type { EntityManager } from 'typeorm';
import { Asked } from './asked';
import { Jobs, type Order, soleOwnerOf } from './jobs';

type Look = Required<Pick<Order, 'on' | 'input'>>;

/**
 * Looks that somebody asks for. Whoever asks for one that is under way shares it: each one of its own would be one more
 * login to refuse.
 */
@Injectable()
export class AskedLooks {
  constructor(
    private readonly jobs: Jobs,
    private readonly asked: Asked,
  ) {}

  one(
    contract: Contract,
    input: object,
    find: (manager: EntityManager) => Promise<Look & { kind: JobKind }>,
  ): Promise<JobTicket> {
    return this.asked.once(contract, input, async (manager) => {
      const order = { ...(await find(manager)), isLook: true };
      const open = await this.jobs.findOpen(manager, order);
      return { open: open?.id, begin: (id) => this.jobs.add(manager, { ...order, id }) };
    });
  }

  /** Asked again while the same looks are under way, it is the same batch. */
  many(
    contract: Contract,
    input: object,
    kind: JobKind,
    find: (manager: EntityManager) => Promise<Look[]>,
  ): Promise<JobTicket> {
    return this.asked.once(contract, input, async (manager) => {
      await lockName(manager, 'looks', currentUser().sub);
      const orders = await find(manager);
      return {
        open: await findOpenBatch(manager, kind, orders),
        begin: (id) => this.jobs.addBatch(manager, { id, kind, orders, isLook: true }),
      };
    });
  }
}

/** The batch of the same looks, at sites or servers as they are now, that is under way and has none called off. */
async function findOpenBatch(
  manager: EntityManager,
  kind: JobKind,
  orders: readonly Look[],
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
    [soleOwnerOf(orders) ?? sub, kind, sub, JSON.stringify(orders.map(({ on: { id }, input }) => ({ id, input })))],
  );
  return open?.id;
}
