import type { EntityManager, EntityTarget, FindOptionsWhere } from 'typeorm';
import type { Token } from '../tokens/token.entity';
import type { Session } from './session.entity';

/** Returns the ids of what it has deleted. */
export async function deleteRows<Row extends Session | Token>(
  manager: EntityManager,
  table: EntityTarget<Row>,
  where: FindOptionsWhere<Row>,
): Promise<string[]> {
  // The statement does not list ids: PostgreSQL takes 65,535 parameters, and a user can open more sessions than that.
  const query = manager.createQueryBuilder().delete().from(table).where(where).returning('id');
  const { raw }: { raw: { id: string }[] } = await query.execute();
  return raw.map(({ id }) => id);
}
