import { AppError } from '@vigie/contracts/errors';
import type { EntityManager } from 'typeorm';

/** A zone that only the browser or Node knows would fail in each query that computes its times. */
export async function refuseUnknownZone(manager: EntityManager, zone: string): Promise<void> {
  const [known]: unknown[] = await manager.query('select from pg_timezone_names where name = $1', [zone]);
  if (!known)
    throw new AppError('invalid', 'Ce fuseau horaire n’est pas connu\u00a0: écrivez par exemple Europe/Paris.');
}
