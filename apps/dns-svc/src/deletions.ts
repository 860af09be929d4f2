import { AppError } from '@vigie/contracts/errors';
import { lockName } from '@vigie/service-kit/locks';
import type { EntityManager } from 'typeorm';

/** Serialises a deletion, or a change of owner, and any creation for that id, so that neither misses the other. */
export const lockDeletion = (manager: EntityManager, id: string) => lockName(manager, 'gone', id);

export async function isDeleted(manager: EntityManager, id: string): Promise<boolean> {
  await lockDeletion(manager, id);
  const rows: unknown[] = await manager.query('select id from gone where id = $1', [id]);
  return rows.length > 0;
}

/** A session may outlive its user by seconds; what it creates then would belong to nobody. */
export async function refuseDeletedUser(manager: EntityManager, userId: string): Promise<void> {
  if (await isDeleted(manager, userId)) {
    throw new AppError('unauthorized', 'Votre session a expiré. Veuillez vous reconnecter.');
  }
}

export async function recordDeletion(manager: EntityManager, id: string): Promise<void> {
  await lockDeletion(manager, id);
  await manager.query('insert into gone (id) values ($1) on conflict do nothing', [id]);
}
