import type { ActivityType } from '@vigie/contracts/activity';
import type { AuditedTransaction } from '@vigie/service-kit/audited-transactions';
import { nameOf, type User } from './user.entity';

type Doing = {
  actor: User;
  /** Of the audit and, but for what only an auditor wants, of the activity feed. */
  type: ActivityType;
  target?: Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>;
  details?: Record<string, unknown>;
};

/** Something a person did that both the audit and the activity feed show. */
export async function recordDoing(
  chapter: AuditedTransaction,
  { actor, type, target, details = {} }: Doing,
): Promise<void> {
  const actorName = nameOf(actor);
  await chapter.audit({
    actorId: actor.id,
    actorName: actor.email,
    action: type,
    target: target?.email ?? null,
    targetId: target?.id ?? null,
    result: 'done',
    details,
  });
  await chapter.publish({
    kind: 'activity',
    type,
    owner_id: actor.id,
    actor_id: actor.id,
    actor_name: actorName,
    details: { ...details, ...(target && { name: nameOf(target) }) },
    at: new Date().toISOString(),
  });
}
