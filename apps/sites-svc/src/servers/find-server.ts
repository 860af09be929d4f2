import { AppError } from '@vigie/contracts/errors';
import { type EntityManager, Any } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { Server } from './server.entity';

export const unknownServer = () => new AppError('not_found', 'Ce serveur n’existe pas ou n’existe plus.');

export async function findServer(manager: EntityManager, id: string): Promise<Server> {
  const server = await manager.findOneBy(Server, { id, ...ownerFilter() });
  if (!server) throw unknownServer();
  return server;
}

export async function lockServer(manager: EntityManager, id: string): Promise<Server> {
  const server = await manager.findOne(Server, {
    where: { id, ...ownerFilter() },
    lock: { mode: 'pessimistic_write' },
  });
  if (!server) throw unknownServer();
  return server;
}

export type ServerToTest = Pick<Server, 'id' | 'name' | 'ownerId' | 'host' | 'port' | 'version'>;

/**
 * Locks keys only, so that probes of these servers do not wait for the transaction. Sorts by name, the last one first:
 * lists show the newest job first, so the jobs end up in order.
 */
export async function lockServersToTest(
  manager: EntityManager,
  ids: readonly string[] | undefined,
): Promise<ServerToTest[]> {
  const servers = await manager.find(Server, {
    where: { ...ownerFilter(), ...(ids && { id: Any([...ids]) }) },
    order: { name: 'DESC', id: 'DESC' },
    select: { id: true, name: true, ownerId: true, host: true, port: true, version: true },
    lock: { mode: 'for_key_share' },
  });
  if (ids && servers.length < new Set(ids).size) {
    throw new AppError('not_found', 'Un de ces serveurs n’existe pas ou n’existe plus. Rechargez la liste.');
  }
  if (servers.length === 0) throw new AppError('invalid', 'Il n’y a aucun serveur à tester.');
  return servers;
}
