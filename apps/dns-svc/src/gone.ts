import { AppError } from '@vigie/contracts/errors';
import { lockName } from '@vigie/service-kit/locks';
import type { EntityManager } from 'typeorm';

/**
 * Serialises a deletion and what is created for the deleted id until the transaction ends, so that neither misses the
 * other.
 */
const hold = (manager: EntityManager, id: string) => lockName(manager, 'gone', id);

export async function isGone(manager: EntityManager, id: string): Promise<boolean> {
  await hold(manager, id);
  const found: unknown[] = await manager.query('select id from gone where id = $1', [id]);
  return found.length > 0;
}

/** A session may outlive its user by seconds; what it creates then would belong to nobody. */
export async function refuseGone(manager: EntityManager, userId: string): Promise<void> {
  if (await isGone(manager, userId)) {
    throw new AppError('unauthorized', 'Votre session a expiré. Veuillez vous reconnecter.');
  }
}

export async function noteGone(manager: EntityManager, id: string): Promise<void> {
  await hold(manager, id);
  await manager.query('insert into gone (id) values ($1) on conflict do nothing', [id]);
}
