import type { ActivityType } from '@vigie/contracts/activity';
import type { OutboxEvent } from '@vigie/contracts/outbox';
import { type AuditEntry, writeAudits } from '@vigie/service-kit/audit';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Job } from '../queue/job.entity';
import { Activity } from './activity.entity';

const emptyColumns = { siteId: null, siteName: null, serverId: null, serverName: null, jobId: null, batchId: null };

type Target = { id: string; name: string; ownerId: string };

/** Exactly one of server, site, group and upload is set. */
type AuditEvent = {
  type: ActivityType;
  server?: Target;
  site?: Target;
  group?: Target;
  upload?: Target;
  /** Events that the feed shows as one line. */
  batchId?: string;
  details?: Record<string, unknown>;
};

/** The feed has no line of its own for an acknowledgement, a channel, or a team, which belongs to nobody. */
type AuditedAction = Pick<AuditEntry, 'target' | 'targetId' | 'details'> & {
  action:
    | ActivityType
    | 'job_acknowledge'
    | `team_${'create' | 'edit' | 'delete'}`
    | `channel_${'create' | 'edit' | 'delete' | 'test'}`;
};

/** Writes to the audit only: the feed shows a job once it has ended. */
export async function recordInAudit(manager: EntityManager, events: readonly AuditedAction[]): Promise<void> {
  const { sub, email } = currentUser();
  const actor = { actorId: sub, actorName: email ?? null, result: 'done' as const };
  await writeAudits(
    manager,
    events.map((event) => ({ ...event, ...actor })),
  );
}

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

/** Writes to the feed only, for an action that the audit has from its request. */
export async function recordInFeed(manager: EntityManager, events: readonly AuditEvent[]): Promise<void> {
  const { sub, name } = currentUser();
  const lines = events.map((event) => {
    const { type, server, site, group, batchId = null, details = {} } = event;
    return {
      ...emptyColumns,
      id: uuid(),
      type,
      ownerId: targetOf(event).ownerId,
      actorId: sub,
      actorName: name ?? null,
      batchId,
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
  if (!target) throw new Error(`${type} without a target`);
  return target;
}

/** The new values of those fields that changed. */
export function changedValues<T extends object>(fields: readonly (keyof T)[], before: T, changes: Partial<T>) {
  const changed = fields.filter((name) => name in changes && changes[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, changes[name]]));
}

type JobActivity = Pick<Activity, 'type' | 'siteId' | 'details'>;

/** Names the person who requested the job, although an agent ended it. */
export async function recordJobActivity(manager: EntityManager, job: Job, activity: JobActivity): Promise<void> {
  const { id: jobId, batchId, ownerId, actorId, actorName, siteName } = job;
  const actor = { ownerId, actorId, actorName };
  const jobColumns = { ...emptyColumns, siteName, jobId, batchId };
  await manager.insert(Activity, { ...jobColumns, ...actor, ...activity, id: uuid(), createdAt: new Date() });
}

type ActivityEvent = Extract<OutboxEvent, { kind: 'activity' }>;

/** A repeated event is stored once. */
export async function recordOutboxActivity(manager: EntityManager, id: string, event: ActivityEvent): Promise<void> {
  const { type, owner_id: ownerId, actor_id: actorId, actor_name: actorName, site, details, at } = event;
  const siteColumns = { ...emptyColumns, ...(site && { siteId: site.id, siteName: site.name }) };
  const line = { id, type, ownerId, actorId, actorName, ...siteColumns, details, createdAt: new Date(at) };
  await manager.createQueryBuilder().insert().into(Activity).values(line).orIgnore().execute();
}
