import { z } from 'zod';
import { contract } from './contract';
import { callerRole } from './grant-roles';
import { id, requiredLine } from './text';

export const maxGroups = 100;
export const tooManyGroups = `Un site est dans ${maxGroups} groupes au plus.`;

export const Group = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  /** Null at the top, and where the caller does not see the group above. */
  parent_id: id.nullable(),
  /** Sites of the group and its subgroups, each counted once. */
  sitesCount: z.int(),
  serversCount: z.int(),
  /** How often its sites are visited; null where a group above or the installation says it. */
  visit_minutes: z.int().nullable().default(null),
  /** Sent in admin mode, because a group accepts only sites and servers of its owner. */
  owner_id: id.optional(),
  ...callerRole,
});
export type Group = z.infer<typeof Group>;

/** Maximum depth of groups, counting the top level. */
export const maxGroupDepth = 8;

const name = requiredLine('Renseignez un nom.', 100);
const description = z
  .string()
  .max(1_000, 'Ce texte ne peut pas dépasser 1000 caractères.')
  .transform((value) => value.trim().normalize('NFC') || null);

/** How often sites may be visited. */
export const visitMinutes = [1, 2, 5, 15, 60] as const;
const visitInterval = z
  .int()
  .refine((minutes) => visitMinutes.some((choice) => choice === minutes), 'Choisissez 1, 2, 5, 15 ou 60 minutes.');

/** Lists all groups that the caller sees, by name. */
export const listGroups = contract('sites.groups.list', {
  http: 'GET /api/groups',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['groups'],
  input: z.object({}),
  output: z.array(Group),
});

export const createGroup = contract('sites.groups.create', {
  http: 'POST /api/groups',
  access: 'user',
  scope: 'update',
  status: 201,
  changes: ['groups'],
  input: z.object({
    name,
    description: description.nullish(),
    parent_id: id.nullish(),
    visit_minutes: visitInterval.nullish(),
  }),
  output: Group,
});

/** An absent field stays unchanged; null clears it. */
export const editGroup = contract('sites.groups.edit', {
  http: 'PUT /api/groups/:id',
  access: 'user',
  scope: 'update',
  grantRole: 'manager',
  changes: ['groups', 'sites', 'servers', 'uptime'],
  input: z.object({
    id,
    name: name.optional(),
    description: description.nullish(),
    parent_id: id.nullish(),
    /** Only the owner changes it. */
    visit_minutes: visitInterval.nullish(),
  }),
  output: Group,
});

/** Moves the subgroups to the parent; the sites and servers only leave the group. */
export const deleteGroup = contract('sites.groups.delete', {
  http: 'DELETE /api/groups/:id',
  access: 'user',
  scope: 'update',
  grantRole: 'manager',
  changes: ['groups', 'sites', 'servers'],
  input: z.object({ id }),
  output: z.object({}),
});

/** Says whether a user reaches all of these groups; null stands for an administrator in admin mode. */
export const reachesGroups = contract('sites.groups.reaches', {
  input: z.object({ user_id: id.nullable(), ids: z.array(id).min(1).max(100) }),
  output: z.object({ is_reached: z.boolean() }),
  callers: ['auth-svc'],
});
