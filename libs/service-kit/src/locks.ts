import type { EntityManager } from 'typeorm';

const keyOfName = "hashtext(current_schema() || '.' || $1)";

/** Until the end of the transaction nobody else of this schema holds the same name of the same thing. */
export async function lockName(manager: EntityManager, name: string, of: string): Promise<void> {
  await manager.query(`select pg_advisory_xact_lock(${keyOfName})`, [`${name}.${of}`]);
}

/** As long; false where somebody else holds it already: for what one replica does at a time. */
export async function tryLockName(manager: EntityManager, name: string): Promise<boolean> {
  const [lock]: { is_mine: boolean }[] = await manager.query(
    `select pg_try_advisory_xact_lock(${keyOfName}) as is_mine`,
    [name],
  );
  return lock?.is_mine === true;
}
