import type { EntityManager } from 'typeorm';
import { isOpen } from '../queue/job.entity';

/** Returns those of these object keys that open installs still need. */
export async function packagesInUse(manager: EntityManager, keys: readonly string[]): Promise<string[]> {
  const rows: { key: string }[] = await manager.query(
    `select distinct input #>> '{package,key}' as key from jobs
     where is_exclusive and ${isOpen('jobs')} and kind = 'changes.install' and input #>> '{package,key}' = any($1::text[])`,
    [keys],
  );
  return rows.map(({ key }) => key);
}
