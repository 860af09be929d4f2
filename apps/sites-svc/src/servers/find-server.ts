import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { Server } from './server.entity';

/** What the acting user may see: its own, everything with the admin mode on. */
export function scope(): { ownerId?: string } {
  const { sub, adminMode } = currentUser();
  return adminMode ? {} : { ownerId: sub };
}

const unknownServer = () => new AppError('not_found', 'Ce serveur n’existe pas ou n’existe plus.');

export async function findServer(manager: EntityManager, id: string): Promise<Server> {
  const server = await manager.findOneBy(Server, { id, ...scope() });
  if (!server) throw unknownServer();
  return server;
}

/** Held until the end of the transaction. */
export async function holdServer(manager: EntityManager, id: string): Promise<Server> {
  const server = await manager.findOne(Server, { where: { id, ...scope() }, lock: { mode: 'pessimistic_write' } });
  if (!server) throw unknownServer();
  return server;
}
