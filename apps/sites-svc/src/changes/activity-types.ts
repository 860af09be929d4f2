import type { ActivityType } from '@vigie/contracts/activity';
import type { ItemKind } from '@vigie/contracts/changes';
import type { ChangeKind } from '@vigie/contracts/jobs';

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
