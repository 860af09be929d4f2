import type { EntityManager } from 'typeorm';

const keyOfName = "hashtext(current_schema() || '.' || $1)";

/** Locks a name within this schema until the transaction ends. */
export async function lockName(manager: EntityManager, name: string, id: string): Promise<void> {
  await manager.query(`select pg_advisory_xact_lock(${keyOfName})`, [`${name}.${id}`]);
}

/**
 * Like `lockName`, but returns false when another transaction holds the lock: for work that one replica does at a time.
 */
export async function tryLockName(manager: EntityManager, name: string): Promise<boolean> {
  const [lock]: { is_mine: boolean }[] = await manager.query(
    `select pg_try_advisory_xact_lock(${keyOfName}) as is_mine`,
    [name],
  );
  return lock?.is_mine === true;
}
