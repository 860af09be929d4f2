import type { ChangeInput } from '@vigie/contracts/changes';
import type { EntityManager } from 'typeorm';
import { auditDoings } from '../activity/doings';
import { activityTypeOf } from './activity-types';

/** `id`: of the job, or of the batch. */
type Asked = {
  id: string;
  kind: string;
  on: { id: string; name: string };
  input: Pick<ChangeInput, 'item' | 'from' | 'to'>;
};

export function auditChanges(manager: EntityManager, changes: readonly Asked[]): Promise<void> {
  return auditDoings(
    manager,
    changes.map(({ id, kind, on, input: { item, from, to } }) => ({
      action: activityTypeOf(kind, item.kind),
      target: on.name,
      targetId: on.id,
      details: { ...item, from, to, job_id: id, ...(kind === 'changes.restore' && { restored: true }) },
    })),
  );
}
