import { Injectable } from '@nestjs/common';
import { currentUser } from '@vigie/service-kit/context';
import { type EntityManager, Equal, In, IsNull } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Server } from '../servers/server.entity';
import { Dispatcher } from './dispatcher';
import { Job, type QueueName } from './job.entity';

export type Order = {
  kind: string;
  server: Pick<Server, 'id' | 'name' | 'ownerId' | 'host' | 'port'>;
  input?: object;
  queue?: QueueName;
  /** It changes nothing and takes no room: it waits for no other work on its host but its like. */
  isLook?: boolean;
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
    { kind, server, input = {}, queue = 'site-ops', isLook = false }: Order,
  ): Promise<Job> {
    const { sub, name } = currentUser();
    const job = manager.create(Job, {
      id: uuid(),
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
      createdAt: new Date(),
    });
    await manager.insert(Job, job);
    return job;
  }

  /** The same work on the same server that has not ended yet. */
  async findOpen(manager: EntityManager, { kind, server, input = {} }: Order): Promise<Job | null> {
    return manager.findOneBy(Job, {
      kind,
      serverId: server.id,
      state: In(['queued', 'running']),
      input: Equal(input),
      cancelAskedAt: IsNull(),
    });
  }

  /** Once the transaction is there to be read. */
  announce(): void {
    this.dispatcher.announce();
  }
}
