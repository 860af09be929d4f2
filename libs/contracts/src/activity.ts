import { z } from 'zod';
import { contract } from './contract';
import { id, oneOf, timestamp } from './text';

const objectKinds = ['site', 'server', 'group', 'upload', 'user', 'dns_record', 'zone'] as const;
const crud = objectKinds.flatMap((object) => [`${object}_create`, `${object}_edit`, `${object}_delete`] as const);

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
  'grant_create',
  'grant_edit',
  'grant_delete',
  'owner_change',
  'token_create',
  'token_delete',
  'passkey_create',
  'passkey_delete',
  'site_command',
  'proposal_create',
  'proposal_confirm',
  'proposal_reject',
  'proposal_refuse',
  'status_page_create',
  'status_page_edit',
  'status_page_renew',
  'status_page_delete',
]);
export type ActivityType = z.infer<typeof ActivityType>;

export const activityFilters = {
  updates: ['core_update', 'plugin_update', 'theme_update'],
  installs: ['plugin_install', 'theme_install', 'plugin_activate', 'plugin_deactivate', 'theme_activate'],
  backups: ActivityType.options.filter((type) => type.startsWith('backup_')),
  sites: [
    'site_create',
    'site_edit',
    'site_delete',
    'site_command',
    'group_create',
    'group_edit',
    'group_delete',
    'status_page_create',
    'status_page_edit',
    'status_page_renew',
    'status_page_delete',
  ],
  servers: ['server_create', 'server_edit', 'server_delete'],
  uploads: ['upload_create', 'upload_edit', 'upload_delete'],
  dns: ActivityType.options.filter((type) => /^(?:zone|dns_record)_/.test(type)),
  accounts: [
    'login',
    'password_change',
    '2fa_enable',
    '2fa_disable',
    'user_create',
    'user_edit',
    'user_delete',
    'grant_create',
    'grant_edit',
    'grant_delete',
    'owner_change',
    'token_create',
    'token_delete',
    'passkey_create',
    'passkey_delete',
    'settings_edit',
  ],
  proposals: ActivityType.options.filter((type) => type.startsWith('proposal_')),
} satisfies Record<string, readonly ActivityType[]>;
export type ActivityKind = keyof typeof activityFilters;
export const activityKindNames = Object.keys(activityFilters) as [ActivityKind, ...ActivityKind[]];

/** Numbers of lines, sites and failures of a batch. */
const Run = z.object({
  id,
  lines: z.int(),
  sites: z.int(),
  failed: z.int(),
  /** How many of the failed changes were undone, with their site as it was before. */
  undone: z.int().default(0),
});

/** A line of the activity feed: who did what to which object. */
export const ActivityItem = z.object({
  id,
  type: ActivityType,
  actor_name: z.string().nullable(),
  /** The job and batch of the action; jobs are deleted after a month. The lines of one act on a proposal are a batch too. */
  job_id: id.nullable().default(null),
  batch_id: id.nullable().default(null),
  site_id: id.nullable(),
  site_name: z.string().nullable(),
  server_id: id.nullable(),
  server_name: z.string().nullable(),
  /** `kind`, `name`, `slug`, `from` and `to`, depending on the type. */
  details: z.record(z.string(), z.unknown()),
  created_at: timestamp,
  /** Set with `grouped=1`, where this line is the latest of its batch. */
  run: Run.nullable().default(null),
});
export type ActivityItem = z.infer<typeof ActivityItem>;

const maxActivity = 50;

/** Lists the caller's own lines, and everybody's for an administrator in admin mode. */
export const listActivity = contract('sites.activity.list', {
  http: 'GET /api/dashboard/activity',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['activity'],
  input: z.object({
    /** A higher limit is reduced to the maximum. */
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .default(10)
      .transform((limit) => Math.min(limit, maxActivity)),
    /** `1` lists only the latest line of each batch. */
    grouped: oneOf(['0', '1']).default('0'),
    kind: oneOf(activityKindNames).optional(),
    actor_id: id.optional(),
    site_id: id.optional(),
    /** Lists the lines of one batch. */
    batch_id: id.optional(),
  }),
  output: z.object({ items: z.array(ActivityItem) }),
});

const Named = z.object({ id, name: z.string() });

/** Lists the people and sites of the latest thousand lines, by name, as choices for the filters. */
export const listActivityChoices = contract('sites.activity.choices', {
  http: 'GET /api/dashboard/activity/choices',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['activity'],
  input: z.object({}),
  output: z.object({ people: z.array(Named), sites: z.array(Named) }),
});
export type ActivityChoices = z.infer<typeof listActivityChoices.output>;
