import { Injectable } from '@nestjs/common';
import { changeCodes } from '@vigie/contracts/changes';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { ChangeKind, JobTicket } from '@vigie/contracts/jobs';
import type { EntityManager } from 'typeorm';
import { Asked } from '../jobs/asked';
import { Jobs } from '../jobs/jobs';
import { auditChanges } from './audit-changes';
import { findOpenChanges, isChanging, isSame, openAt, type OpenChange, type OpenChanges } from './open-changes';
import type { Order } from './orders';

/** In one answer; the rest is like them. */
const maxRefusals = 50;

/** Changes that somebody asks for. The same one asked again while it is open is that one; another of the same item waits. */
@Injectable()
export class AskedChanges {
  constructor(
    private readonly jobs: Jobs,
    private readonly asked: Asked,
  ) {}

  /** `find` holds the site. */
  one(
    contract: Contract,
    input: object,
    find: (manager: EntityManager) => Promise<Order | AppError>,
  ): Promise<JobTicket> {
    return this.asked.once(contract, input, async (manager) => {
      const order = await find(manager);
      const open = order instanceof AppError ? undefined : openAt(await findOpenChanges(manager, [order.on.id]), order);
      const isShared = open && !(order instanceof AppError) && isSame(open, order);
      return { open: isShared ? open.id : undefined, begin: (id) => this.begin(manager, id, order, open) };
    });
  }

  /** A batch of what can be done; what cannot is a line of it too, with its reason. */
  many(
    contract: Contract,
    input: object,
    kind: ChangeKind,
    find: (manager: EntityManager) => Promise<Order[]>,
  ): Promise<JobTicket> {
    return this.asked.once(contract, input, async (manager) => {
      const orders = await find(manager);
      const opens = await findOpenChanges(manager, [...new Set(orders.map(({ on }) => on.id))]);
      const lines = orders.map((order) => ({ ...order, refusal: refusalOf(order, opens) }));
      return { open: batchOf(orders, opens), begin: (id) => this.beginAll(manager, { id, kind, lines }) };
    });
  }

  private async begin(manager: EntityManager, id: string, order: Order | AppError, open: OpenChange | undefined) {
    if (order instanceof AppError) throw order;
    if (open) throw isChanging(order);
    const { refusal, ...job } = order;
    if (refusal) throw refusal;
    await this.jobs.add(manager, { ...job, id, isExclusive: true });
    await auditChanges(manager, [{ ...order, id }]);
  }

  private async beginAll(
    manager: EntityManager,
    { id, kind, lines }: { id: string; kind: ChangeKind; lines: readonly Order[] },
  ) {
    const possible = lines.filter(({ refusal }) => !refusal);
    if (possible.length === 0) throw noneOf(lines);
    await this.jobs.addBatch(manager, { id, kind, isExclusive: true, orders: lines });
    await auditChanges(
      manager,
      possible.map((order) => ({ ...order, id })),
    );
  }
}

/** The batch of which all of them are under way. */
function batchOf(orders: readonly Order[], opens: OpenChanges): string | undefined {
  const batches = new Set(
    orders.map((order) => {
      const open = openAt(opens, order);
      return open && isSame(open, order) ? open.batch_id : null;
    }),
  );
  const [batch] = batches;
  return batches.size === 1 ? (batch ?? undefined) : undefined;
}

function refusalOf(order: Order, opens: OpenChanges): AppError | undefined {
  const open = openAt(opens, order);
  return open ? isChanging(order) : order.refusal;
}

function noneOf(lines: readonly Order[]): AppError {
  const [first] = lines;
  if (lines.length === 1 && first?.refusal) return first.refusal;
  const refusals = lines.slice(0, maxRefusals).map(({ on, input: { item }, refusal }) => ({
    site_id: on.id,
    site_name: on.name,
    kind: item.kind,
    slug: item.slug,
    name: item.name,
    message: refusal?.message,
  }));
  return new AppError('conflict', {
    message: `Rien de cette sélection ne peut être fait. ${first?.on.name}, ${first?.input.item.name}\u00a0: ${first?.refusal?.message}`,
    code: changeCodes.refused,
    refusals,
  });
}
