import type { ActivityType } from '@vigie/contracts/activity';
import type { AuditedTransaction } from '@vigie/service-kit/audited-transactions';
import { nameOf, type User } from './user.entity';

type AuditEvent = {
  actor: User;
  /** Every type is audited; the activity feed leaves out those that only an auditor needs. */
  type: ActivityType;
  target?: Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>;
  details?: Record<string, unknown>;
};

/** Records a person’s action in both the audit and the activity feed. */
export async function recordAuditEvent(
  transaction: AuditedTransaction,
  { actor, type, target, details = {} }: AuditEvent,
): Promise<void> {
  const actorName = nameOf(actor);
  await transaction.audit({
    actorId: actor.id,
    actorName: actor.email,
    action: type,
    target: target?.email ?? null,
    targetId: target?.id ?? null,
    result: 'done',
    details,
  });
  await transaction.publish({
    kind: 'activity',
    type,
    owner_id: actor.id,
    actor_id: actor.id,
    actor_name: actorName,
    details: { ...details, ...(target && { name: nameOf(target) }) },
    at: new Date().toISOString(),
  });
}
