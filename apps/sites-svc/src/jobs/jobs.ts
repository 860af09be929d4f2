import { Injectable } from '@nestjs/common';
import { currentUser } from '@vigie/service-kit/context';
import { type EntityManager, Equal, In, IsNull } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Server } from '../servers/server.entity';
import { Dispatcher } from './dispatcher';
import { Job, openStates, type QueueName } from './job.entity';

export type Order = {
  /** The one that it is known by. */
  id?: string;
  kind: string;
  server: Pick<Server, 'id' | 'name' | 'ownerId' | 'host' | 'port'>;
  input?: object;
  queue?: QueueName;
  /** It changes nothing and takes no room: it waits for no other work on its host but its like. */
  isLook?: boolean;
};

type Batch = {
  id: string;
  kind: string;
  /** Whose all of it is; undefined where it is of several. */
  ownerId: string | undefined;
  orders: readonly Required<Pick<Order, 'server' | 'input'>>[];
};

/** What shares a host shares its room; what only looks has room of its own there. */
export const laneOf = ({ host, port }: Pick<Server, 'host' | 'port'>, isLook: boolean) =>
  `${host}:${port}${isLook ? ' look' : ''}`;

/** Accepts work: in the transaction that makes it true, or not at all. */
@Injectable()
export class Jobs {
  constructor(private readonly dispatcher: Dispatcher) {}

  async add(
    manager: EntityManager,
    { id = uuid(), kind, server, input = {}, queue = 'site-ops', isLook = false }: Order,
  ): Promise<Job> {
    const { sub, name } = currentUser();
    const job = manager.create(Job, {
      id,
      kind,
      ownerId: server.ownerId,
      actorId: sub,
      actorName: name ?? null,
      siteId: null,
      siteName: null,
      serverId: server.id,
      serverName: server.name,
      batchId: null,
      isBatch: false,
      retryOf: null,
      queue: isLook ? 'site-looks' : queue,
      lane: laneOf(server, isLook),
      isExclusive: false,
      isHeavy: false,
      input,
      state: 'queued',
      attempts: 0,
      fence: 0,
      heard: 0,
      createdAt: new Date(),
    });
    await manager.insert(Job, job);
    return job;
  }

  /** The same look at many servers: one row that stands for it, and one for each of them, by one statement. */
  async addBatch(manager: EntityManager, { id, kind, ownerId, orders }: Batch): Promise<void> {
    const { sub, name } = currentUser();
    const shared = { kind, actor_id: sub, actor_name: name ?? null, queue: 'site-looks' satisfies QueueName };
    const batch = { ...shared, id, owner_id: ownerId ?? sub, is_batch: true, lane: '', input: {} };
    const jobs = orders.map(({ server, input }) => ({
      ...shared,
      id: uuid(),
      owner_id: server.ownerId,
      is_batch: false,
      batch_id: id,
      server_id: server.id,
      server_name: server.name,
      lane: laneOf(server, true),
      input,
    }));
    await manager.query(
      `insert into jobs (id, kind, owner_id, actor_id, actor_name, server_id, server_name, batch_id, is_batch, queue, lane,
         is_exclusive, is_heavy, input)
       select id, kind, owner_id, actor_id, actor_name, server_id, server_name, batch_id, is_batch, queue, lane,
         false, false, input
       from jsonb_to_recordset($1::jsonb) as j(id uuid, kind text, owner_id uuid, actor_id uuid, actor_name text,
         server_id uuid, server_name text, batch_id uuid, is_batch boolean, queue text, lane text, input jsonb)`,
      [JSON.stringify([batch, ...jobs])],
    );
  }

  /** The same work on the same server that has not ended yet. */
  async findOpen(manager: EntityManager, { kind, server, input = {} }: Order): Promise<Job | null> {
    return manager.findOneBy(Job, {
      kind,
      serverId: server.id,
      state: In(openStates),
      input: Equal(input),
      cancelAskedAt: IsNull(),
    });
  }

  /** Once the transaction is there to be read. */
  announce(): void {
    this.dispatcher.announce();
  }
}
