import type { ActivityType } from '@vigie/contracts/activity';
import { currentUser } from '@vigie/service-kit/context';
import type { Chapter } from '@vigie/service-kit/history';

type Doing = {
  type: ActivityType;
  /** Whose configuration it was done with. */
  ownerId: string;
  /** What it was done to, as people name it. */
  target: string;
  targetId: string;
  site?: { id: string; name: string };
  details?: Record<string, unknown>;
};

/** Something the acting person did: in the audit, and in the feed of whom the zone belongs to. */
export async function recordDoing(chapter: Chapter, doing: Doing): Promise<void> {
  await auditDoing(chapter, { ...doing, action: doing.type });
  const { sub, name = null } = currentUser();
  const { type, ownerId, target, site, details = {} } = doing;
  await chapter.tell({
    kind: 'activity',
    type,
    owner_id: ownerId,
    actor_id: sub,
    actor_name: name,
    ...(site && { site }),
    details: { name: target, ...details },
    at: new Date().toISOString(),
  });
}

/** What an auditor wants, and nobody else. */
export async function auditDoing(
  { audit }: Pick<Chapter, 'audit'>,
  { action, target, targetId, details = {} }: Omit<Doing, 'type' | 'ownerId' | 'site'> & { action: string },
): Promise<void> {
  const { sub, email } = currentUser();
  await audit({ actorId: sub, actorName: email ?? null, action, target, targetId, result: 'done', details });
}
