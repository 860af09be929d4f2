import { z } from 'zod';
import { contract } from './contract';
import { id, timestamp } from './text';

const objects = ['site', 'server', 'group', 'upload', 'user', 'dns_record', 'zone'] as const;
const crud = objects.flatMap((object) => [`${object}_create`, `${object}_edit`, `${object}_delete`] as const);

export const ActivityType = z.enum([
  'core_update',
  'plugin_update',
  'theme_update',
  'plugin_install',
  'theme_install',
  'plugin_activate',
  'plugin_deactivate',
  'theme_activate',
  'backup_create',
  'backup_restore',
  'backup_delete',
  'backup_import',
  'backup_upload',
  'backup_download',
  ...crud,
  'zone_link',
  'zone_unlink',
  'login',
  'password_change',
  '2fa_enable',
  '2fa_disable',
  'settings_edit',
]);
export type ActivityType = z.infer<typeof ActivityType>;

/** What was done, by whom, to what: a line of the feed. */
export const ActivityItem = z.object({
  id,
  type: ActivityType,
  actor_name: z.string().nullable(),
  site_id: id.nullable(),
  site_name: z.string().nullable(),
  server_id: id.nullable(),
  server_name: z.string().nullable(),
  /** `kind`, `name`, `slug`, `from`, `to` as the type wants them. */
  details: z.record(z.string(), z.unknown()),
  created_at: timestamp,
});
export type ActivityItem = z.infer<typeof ActivityItem>;

/** A client reads its own lines; an administrator too, and everybody's with the admin mode on. */
export const listActivity = contract('sites.activity.list', {
  input: z.object({ limit: z.coerce.number().int().min(1).max(50).default(10) }),
  output: z.object({ items: z.array(ActivityItem) }),
  callers: ['gateway'],
});
