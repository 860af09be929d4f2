import type { ActivityType } from '@vigie/contracts/activity';
import type { ChangeInput, ItemKind } from '@vigie/contracts/changes';
import type { ChangeKind } from '@vigie/contracts/jobs';
import type { EntityManager } from 'typeorm';
import { recordInAudit } from '../activity/audit-events';

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

/** `id` is that of the job, or of its batch. */
type RequestedChange = {
  id: string;
  kind: string;
  target: { id: string; name: string };
  input: Pick<ChangeInput, 'item' | 'from' | 'to'>;
};

export function auditChanges(manager: EntityManager, changes: readonly RequestedChange[]): Promise<void> {
  return recordInAudit(
    manager,
    changes.map(({ id, kind, target, input: { item, from, to } }) => ({
      action: activityTypeOf(kind, item.kind),
      target: target.name,
      targetId: target.id,
      details: { ...item, from, to, job_id: id, ...(kind === 'changes.restore' && { restored: true }) },
    })),
  );
}

export const auditRequests = (
  manager: EntityManager,
  id: string,
  requests: readonly Omit<RequestedChange, 'id'>[],
): Promise<void> =>
  auditChanges(
    manager,
    requests.map((request) => ({ ...request, id })),
  );
