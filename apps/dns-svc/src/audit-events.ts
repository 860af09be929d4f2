import type { ActivityType } from '@vigie/contracts/activity';
import { currentUser } from '@vigie/service-kit/context';
import type { AuditedTransaction } from '@vigie/service-kit/audited-transactions';

/** The person who acts, as the feed and the audit name people. */
export type Actor = { id: string; name: string | null; email: string | null };

export function currentActor(): Actor {
  const { sub, name = null, email = null } = currentUser();
  return { id: sub, name, email };
}

type Target = {
  /** The name of the changed object, as people read it. */
  target: string;
  targetId: string;
  details?: Record<string, unknown>;
  /** The acting person, unless an earlier request is recorded. */
  actor?: Actor;
};

type AuditEvent = Target & {
  type: ActivityType;
  /** Owner of the configuration that was used. */
  ownerId: string;
  site?: { id: string; name: string };
  at?: Date;
};

/** Records a person’s action in the audit and in the feed of the zone’s owner. */
export async function recordAuditEvent(transaction: AuditedTransaction, event: AuditEvent): Promise<void> {
  const { type, ownerId, target, targetId, site, details = {}, actor = currentActor(), at = new Date() } = event;
  await auditAction(transaction, { action: type, target, targetId, details, actor });
  await transaction.publish({
    kind: 'activity',
    type,
    owner_id: ownerId,
    actor_id: actor.id,
    actor_name: actor.name,
    ...(site && { site }),
    details: { name: target, ...details },
    at: at.toISOString(),
  });
}

type AuditedAction = Target & { action: string; result?: 'done' | 'refused' };

export async function auditAction({ audit }: Pick<AuditedTransaction, 'audit'>, audited: AuditedAction): Promise<void> {
  const { action, target, targetId, details = {}, result = 'done', actor = currentActor() } = audited;
  await audit({ actorId: actor.id, actorName: actor.email, action, target, targetId, result, details });
}
