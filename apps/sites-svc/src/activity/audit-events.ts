import type { ActivityType } from '@vigie/contracts/activity';
import type { OutboxEvent } from '@vigie/contracts/outbox';
import { type AuditEntry, writeAudits } from '@vigie/service-kit/audit';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Job } from '../jobs/job.entity';
import { Activity } from './activity.entity';

const emptyColumns = { siteId: null, siteName: null, serverId: null, serverName: null, jobId: null, batchId: null };

type Target = { id: string; name: string; ownerId: string };

/** Exactly one of server, site, group and upload is given. */
type AuditEvent = {
  type: ActivityType;
  server?: Target;
  site?: Target;
  group?: Target;
  upload?: Target;
  details?: Record<string, unknown>;
};

type AuditedAction = Pick<AuditEntry, 'target' | 'targetId' | 'details'> & { action: ActivityType };

/** What the acting person did or asked for, in the audit alone: what comes of work is in the feed once it has ended. */
export async function recordInAudit(manager: EntityManager, events: readonly AuditedAction[]): Promise<void> {
  const { sub, email } = currentUser();
  const actor = { actorId: sub, actorName: email ?? null, result: 'done' as const };
  await writeAudits(
    manager,
    events.map((event) => ({ ...event, ...actor })),
  );
}

/** Something the acting person did: in the audit, and in the feed of whom the object belongs to. */
export const recordAuditEvent = (manager: EntityManager, event: AuditEvent): Promise<void> =>
  recordAuditEvents(manager, [event]);

export async function recordAuditEvents(manager: EntityManager, events: readonly AuditEvent[]): Promise<void> {
  const auditEntries = events.map((event) => {
    const { id, name } = targetOf(event);
    return { action: event.type, target: name, targetId: id, details: event.details ?? {} };
  });
  await recordInAudit(manager, auditEntries);
  await recordInFeed(manager, events);
}

/** In the feed alone, where the audit has it from when it was asked for. */
export async function recordInFeed(manager: EntityManager, events: readonly AuditEvent[]): Promise<void> {
  const { sub, name } = currentUser();
  const lines = events.map((event) => {
    const { type, server, site, group, details = {} } = event;
    return {
      ...emptyColumns,
      id: uuid(),
      type,
      ownerId: targetOf(event).ownerId,
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

function targetOf({ type, server, site, group, upload }: AuditEvent): Target {
  const target = server ?? site ?? group ?? upload;
  if (!target) throw new Error(`${type} of nothing`);
  return target;
}

/** What differs of what is told, as it is now. */
export function changedValues<T extends object>(fields: readonly (keyof T)[], before: T, changes: Partial<T>) {
  const changed = fields.filter((name) => name in changes && changes[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, changes[name]]));
}

type JobActivity = Pick<Activity, 'type' | 'siteId' | 'details'>;

/** What came of a job, by whoever asked for it: an agent ends it. */
export async function recordJobActivity(manager: EntityManager, job: Job, activity: JobActivity): Promise<void> {
  const { id: jobId, batchId, ownerId, actorId, actorName, siteName } = job;
  const actor = { ownerId, actorId, actorName };
  const position = { ...emptyColumns, siteName, jobId, batchId };
  await manager.insert(Activity, { ...position, ...actor, ...activity, id: uuid(), createdAt: new Date() });
}

type ActivityEvent = Extract<OutboxEvent, { kind: 'activity' }>;

/** What another service tells; told twice, it is written once. */
export async function recordOutboxActivity(manager: EntityManager, id: string, event: ActivityEvent): Promise<void> {
  const { type, owner_id: ownerId, actor_id: actorId, actor_name: actorName, site, details, at } = event;
  const site_columns = { ...emptyColumns, ...(site && { siteId: site.id, siteName: site.name }) };
  const line = { id, type, ownerId, actorId, actorName, ...site_columns, details, createdAt: new Date(at) };
  await manager.createQueryBuilder().insert().into(Activity).values(line).orIgnore().execute();
}
