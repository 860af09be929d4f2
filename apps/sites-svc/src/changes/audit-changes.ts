import type { ActivityType } from '@vigie/contracts/activity';
import type { ChangeInput, ItemKind } from '@vigie/contracts/changes';
import type { ChangeKind } from '@vigie/contracts/jobs';
import { type EntityManager, In } from 'typeorm';
import { recordInAudit } from '../activity/audit-events';
import { Job } from '../queue/job.entity';

type Types = Partial<Record<ItemKind, ActivityType>>;

const types: Readonly<Record<string, Types>> = {
  'changes.update': { core: 'core_update', plugin: 'plugin_update', theme: 'theme_update' },
  'changes.restore': { core: 'core_update', plugin: 'plugin_update', theme: 'theme_update' },
  'changes.install': { plugin: 'plugin_install', theme: 'theme_install' },
  'changes.activate': { plugin: 'plugin_activate', theme: 'theme_activate' },
  'changes.deactivate': { plugin: 'plugin_deactivate' },
} satisfies Record<ChangeKind, Types>;

export function activityTypeOf(kind: string, itemKind: ItemKind): ActivityType {
  const type = types[kind]?.[itemKind];
  if (!type) throw new Error(`${kind} of a ${itemKind} has no activity type`);
  return type;
}

type RequestedChange = {
  kind: string;
  target: { id: string; name: string };
  input: Pick<ChangeInput, 'item' | 'from' | 'to'>;
};

const toEntry = (id: string, { kind, target, input: { item, from, to } }: RequestedChange) => ({
  action: activityTypeOf(kind, item.kind),
  target: target.name,
  targetId: target.id,
  details: { ...item, from, to, job_id: id, ...(kind === 'changes.restore' && { restored: true }) },
});

/** `id` is that of the job, or of its batch. */
export const auditChanges = (manager: EntityManager, id: string, changes: readonly RequestedChange[]): Promise<void> =>
  recordInAudit(
    manager,
    changes.map((change) => toEntry(id, change)),
  );

export async function auditRetriedChanges(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const jobs = await manager.find(Job, { where: { id: In([...ids]) }, order: { id: 'asc' } });
  const entries = jobs.map(({ id, kind, siteId, siteName, input }) => {
    const change = input as ChangeInput;
    return toEntry(id, { kind, target: { id: siteId ?? change.site.id, name: siteName ?? '' }, input: change });
  });
  await recordInAudit(manager, entries);
}
