import type { ChangeInput } from '@vigie/contracts/changes';
import { writeAudits } from '@vigie/service-kit/audit';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { activityTypeOf } from './activity-types';

/** `id`: of the job, or of the batch. */
type Asked = {
  id: string;
  kind: string;
  on: { id: string; name: string };
  input: Pick<ChangeInput, 'item' | 'from' | 'to'>;
};

/** Who asked for what, in the transaction that accepts it; what came of it is in the feed. */
export function auditChanges(manager: EntityManager, changes: readonly Asked[]): Promise<void> {
  const { sub, email } = currentUser();
  return writeAudits(
    manager,
    changes.map(({ id, kind, on, input: { item, from, to } }) => ({
      actorId: sub,
      actorName: email ?? null,
      action: activityTypeOf(kind, item.kind),
      target: on.name,
      targetId: on.id,
      result: 'done' as const,
      details: { ...item, from, to, job_id: id, ...(kind === 'changes.restore' && { restored: true }) },
    })),
  );
}
