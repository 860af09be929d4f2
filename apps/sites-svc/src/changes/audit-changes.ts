import type { ChangeInput } from '@vigie/contracts/changes';
import type { EntityManager } from 'typeorm';
import { recordInAudit } from '../activity/audit-events';
import { activityTypeOf } from './activity-types';

/** `id` is that of the job, or of its batch. */
type RequestedChange = {
  id: string;
  kind: string;
  target: { id: string; name: string };
  input: Pick<ChangeInput, 'item' | 'from' | 'to'>;
};

export function auditChanges(manager: EntityManager, changes: readonly RequestedChange[]): Promise<void> {
  return recordInAudit(
    manager,
    changes.map(({ id, kind, target, input: { item, from, to } }) => ({
      action: activityTypeOf(kind, item.kind),
      target: target.name,
      targetId: target.id,
      details: { ...item, from, to, job_id: id, ...(kind === 'changes.restore' && { restored: true }) },
    })),
  );
}
