import { Injectable } from '@nestjs/common';
import { changeCodes } from '@vigie/contracts/changes';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { JobError, JobTicket } from '@vigie/contracts/jobs';
import { Creations } from '@vigie/service-kit/creations';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { ticketOf } from '../jobs/asked-looks';
import { Jobs } from '../jobs/jobs';
import { auditChanges } from './audit-changes';
import { findOpenChanges, isChanging, isSame, openAt, type OpenChanges } from './open-changes';
import type { ChangeKind, Order } from './orders';

/** In one answer; the rest is like them. */
const mostRefusals = 50;

/** Changes that somebody asks for. The same one asked again while it is open is that one; another of the same item waits. */
@Injectable()
export class AskedChanges {
  constructor(
    private readonly database: DataSource,
    private readonly jobs: Jobs,
    private readonly creations: Creations,
  ) {}

  /** `find` holds the site; what it gives may be refused only once it is known not to be there already. */
  async one(
    contract: Contract,
    input: object,
    find: (manager: EntityManager) => Promise<Order | AppError>,
  ): Promise<JobTicket> {
    const ticket = await this.database.transaction(async (manager) => {
      const order = await find(manager);
      const found = order instanceof AppError ? undefined : order;
      const open = found && openAt(await findOpenChanges(manager, [found.on.id]), found);
      const same = found && open && isSame(open, found) ? open : undefined;
      const id = same?.id ?? uuid();
      const known = await this.creations.claim(manager, contract, input, id);
      if (known !== undefined || same) return ticketOf(manager, known ?? id);
      if (order instanceof AppError) throw order;
      if (open) throw isChanging(open, order);
      if (order.refusal) throw order.refusal;
      const { refusal: _, ...job } = order;
      await this.jobs.add(manager, { ...job, id, isExclusive: true });
      await auditChanges(manager, [{ ...order, id }]);
      return ticketOf(manager, id);
    });
    this.jobs.announce();
    return ticket;
  }

  /** A batch of what can be done; what cannot is a line of it too, with its reason. */
  async many(
    contract: Contract,
    input: object,
    kind: ChangeKind,
    find: (manager: EntityManager) => Promise<Order[]>,
  ): Promise<JobTicket> {
    const ticket = await this.database.transaction(async (manager) => {
      const orders = await find(manager);
      const opens = await findOpenChanges(manager, [...new Set(orders.map(({ on }) => on.id))]);
      const shared = batchOf(orders, opens);
      const id = shared ?? uuid();
      const known = await this.creations.claim(manager, contract, input, id);
      if (known !== undefined || shared !== undefined) return ticketOf(manager, known ?? id);
      const lines = orders.map((order) => ({ ...order, refusal: refusalOf(order, opens) }));
      const possible = lines.filter(({ refusal }) => !refusal);
      if (possible.length === 0) throw noneOf(lines);
      const owners = new Set(orders.map(({ on }) => on.ownerId));
      await this.jobs.addBatch(manager, {
        id,
        kind,
        ownerId: owners.size === 1 ? orders[0]?.on.ownerId : undefined,
        isExclusive: true,
        orders: lines.map(({ on, input: asked, about, refusal }) => ({
          on,
          input: asked,
          about,
          ...(refusal && { refusal: toJobError(refusal) }),
        })),
      });
      await auditChanges(
        manager,
        possible.map((order) => ({ ...order, id })),
      );
      return ticketOf(manager, id);
    });
    this.jobs.announce();
    return ticket;
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
  return open ? isChanging(open, order) : order.refusal;
}

const toJobError = ({ code, detail }: AppError): JobError =>
  typeof detail === 'string' ? { message: detail, code } : { code, ...detail };

function noneOf(lines: readonly Order[]): AppError {
  const [first] = lines;
  if (lines.length === 1 && first?.refusal) return first.refusal;
  const refusals = lines.slice(0, mostRefusals).map(({ on, input: { item }, refusal }) => ({
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
