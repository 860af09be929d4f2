import { AppError } from '@vigie/contracts/errors';
import { type EntityManager, In } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { Server } from './server.entity';

const unknownServer = () => new AppError('not_found', 'Ce serveur n’existe pas ou n’existe plus.');

export async function findServer(manager: EntityManager, id: string): Promise<Server> {
  const server = await manager.findOneBy(Server, { id, ...ownerFilter() });
  if (!server) throw unknownServer();
  return server;
}

/** Held until the end of the transaction. */
export async function holdServer(manager: EntityManager, id: string): Promise<Server> {
  const server = await manager.findOne(Server, {
    where: { id, ...ownerFilter() },
    lock: { mode: 'pessimistic_write' },
  });
  if (!server) throw unknownServer();
  return server;
}

export type KeptServer = Pick<Server, 'id' | 'name' | 'ownerId' | 'host' | 'port' | 'version'>;

/**
 * These, or all, as they are until the end of the transaction: what is looked up of them meanwhile waits for nobody.
 * By name, the last first, as what is made in this order is listed.
 */
export async function keepServers(manager: EntityManager, ids: readonly string[] | undefined): Promise<KeptServer[]> {
  const servers = await manager.find(Server, {
    where: { ...ownerFilter(), ...(ids && { id: In([...ids]) }) },
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
