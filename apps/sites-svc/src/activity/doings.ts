import type { ActivityType } from '@vigie/contracts/activity';
import type { OutboxEvent } from '@vigie/contracts/outbox';
import { type AuditEntry, writeAudits } from '@vigie/service-kit/audit';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Job } from '../jobs/job.entity';
import { Activity } from './activity.entity';

const nowhere = { siteId: null, siteName: null, serverId: null, serverName: null, jobId: null, batchId: null };

type Target = { id: string; name: string; ownerId: string };

/** Exactly one of server, site, group and upload is given. */
type Doing = {
  type: ActivityType;
  server?: Target;
  site?: Target;
  group?: Target;
  upload?: Target;
  details?: Record<string, unknown>;
};

type Audited = Pick<AuditEntry, 'target' | 'targetId' | 'details'> & { action: ActivityType };

/** What the acting person did or asked for, in the audit alone: what comes of work is in the feed once it has ended. */
export async function auditDoings(manager: EntityManager, doings: readonly Audited[]): Promise<void> {
  const { sub, email } = currentUser();
  const done = { actorId: sub, actorName: email ?? null, result: 'done' as const };
  await writeAudits(
    manager,
    doings.map((doing) => ({ ...doing, ...done })),
  );
}

/** Something the acting person did: in the audit, and in the feed of whom the object belongs to. */
export const recordDoing = (manager: EntityManager, doing: Doing): Promise<void> => recordDoings(manager, [doing]);

export async function recordDoings(manager: EntityManager, doings: readonly Doing[]): Promise<void> {
  const audited = doings.map((doing) => {
    const { id, name } = targetOf(doing);
    return { action: doing.type, target: name, targetId: id, details: doing.details ?? {} };
  });
  await auditDoings(manager, audited);
  await feedDoings(manager, doings);
}

/** In the feed alone, where the audit has it from when it was asked for. */
export async function feedDoings(manager: EntityManager, doings: readonly Doing[]): Promise<void> {
  const { sub, name } = currentUser();
  const lines = doings.map((doing) => {
    const { type, server, site, group, details = {} } = doing;
    return {
      ...nowhere,
      id: uuid(),
      type,
      ownerId: targetOf(doing).ownerId,
      actorId: sub,
      actorName: name ?? null,
      ...(server && { serverId: server.id, serverName: server.name }),
      ...(site && { siteId: site.id, siteName: site.name }),
      details: group ? { name: group.name, ...details } : details,
      createdAt: new Date(),
    };
  });
  await manager.insert(Activity, lines);
}

function targetOf({ type, server, site, group, upload }: Doing): Target {
  const target = server ?? site ?? group ?? upload;
  if (!target) throw new Error(`${type} of nothing`);
  return target;
}

/** What differs of what is told, as it is now. */
export function changedOf<T extends object>(told: readonly (keyof T)[], before: T, changes: Partial<T>) {
  const changed = told.filter((name) => name in changes && changes[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, changes[name]]));
}

type Ended = Pick<Activity, 'type' | 'siteId' | 'details'>;

/** What came of a job, by whoever asked for it: an agent ends it. */
export async function recordEnd(manager: EntityManager, job: Job, ended: Ended): Promise<void> {
  const { id: jobId, batchId, ownerId, actorId, actorName, siteName } = job;
  const by = { ownerId, actorId, actorName };
  const place = { ...nowhere, siteName, jobId, batchId };
  await manager.insert(Activity, { ...place, ...by, ...ended, id: uuid(), createdAt: new Date() });
}

type ToldDoing = Extract<OutboxEvent, { kind: 'activity' }>;

/** What another service tells; told twice, it is written once. */
export async function keepActivity(manager: EntityManager, id: string, doing: ToldDoing): Promise<void> {
  const { type, owner_id: ownerId, actor_id: actorId, actor_name: actorName, site, details, at } = doing;
  const where = { ...nowhere, ...(site && { siteId: site.id, siteName: site.name }) };
  const line = { id, type, ownerId, actorId, actorName, ...where, details, createdAt: new Date(at) };
  await manager.createQueryBuilder().insert().into(Activity).values(line).orIgnore().execute();
}
