import { createHash } from 'node:crypto';
import type { JobKind } from '@vigie/contracts/jobs';
import type { EntityManager } from 'typeorm';
import { ownerFilter } from '../owners/owner-filter';
import { visibleBatch } from './job.entity';

const maxLength = 200;

/** Names the work of a job: requests for the same work have the same key. A long name becomes its hash, for the index. */
export function workKeyOf(kind: JobKind, ...parts: readonly (string | boolean | null)[]): string {
  const name = parts.map((part) => part ?? '-').join(' ');
  return `${kind} ${name.length <= maxLength ? name : createHash('sha256').update(name).digest('hex')}`;
}

/** `batch_id` is null when the caller may not see the batch. */
type OpenWork = { id: string; batch_id: string | null };

/** Maps keys to the open jobs and batches that do this work. One that is being cancelled has given up its key. */
export async function findOpenWork(
  manager: EntityManager,
  workKeys: readonly string[],
): Promise<ReadonlyMap<string, OpenWork>> {
  if (workKeys.length === 0) return new Map();
  const rows: (OpenWork & { work_key: string })[] = await manager.query(
    `select work_key, id, ${visibleBatch('$2')} as batch_id from jobs
     where work_key = any($1::text[]) and state in ('queued', 'running') order by created_at desc`,
    [workKeys, ownerFilter().ownerId ?? null],
  );
  return new Map(rows.map((row) => [row.work_key, row]));
}
