import type { ActivityType } from '@vigie/contracts/activity';
import type { Fact } from '@vigie/contracts/outbox';
import { writeAudit } from '@vigie/service-kit/audit';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Server } from '../servers/server.entity';
import { Activity } from './activity.entity';

const nowhere = { siteId: null, siteName: null, serverId: null, serverName: null };

type Doing = {
  type: ActivityType;
  /** What it was done to. */
  object: Pick<Server, 'id' | 'name' | 'ownerId'>;
  details?: Record<string, unknown>;
};

/** What is done to a server is told under its name. */
export async function recordServerDoing(
  manager: EntityManager,
  { server, ...doing }: Omit<Doing, 'object'> & { server: Doing['object'] },
): Promise<void> {
  await recordDoing(manager, { ...doing, object: server }, { serverId: server.id, serverName: server.name });
}

/** Something the acting person did: in the audit, and in the feed of whom the object belongs to. */
export async function recordDoing(
  manager: EntityManager,
  { type, object, details = {} }: Doing,
  place: { serverId?: string; serverName?: string } = {},
): Promise<void> {
  const { sub, email, name } = currentUser();
  await writeAudit(manager, {
    actorId: sub,
    actorName: email ?? null,
    action: type,
    target: object.name,
    targetId: object.id,
    result: 'done',
    details,
  });
  await manager.insert(Activity, {
    ...nowhere,
    ...place,
    id: uuid(),
    type,
    ownerId: object.ownerId,
    actorId: sub,
    actorName: name ?? null,
    details,
    createdAt: new Date(),
  });
}

type ToldDoing = Extract<Fact, { kind: 'activity' }>;

/** What another service tells; told twice, it is written once. */
export async function keepActivity(manager: EntityManager, id: string, doing: ToldDoing): Promise<void> {
  const { type, owner_id: ownerId, actor_id: actorId, actor_name: actorName, details, at } = doing;
  const line = { id, type, ownerId, actorId, actorName, ...nowhere, details, createdAt: new Date(at) };
  await manager.createQueryBuilder().insert().into(Activity).values(line).orIgnore().execute();
}
