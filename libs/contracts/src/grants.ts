import { z } from 'zod';
import { contract } from './contract';
import { grantRoles } from './grant-roles';
import { id, offset, oneOf, timestamp } from './text';

/** What a person or a team may do with a site, or with all sites of a group and of the groups below it. */
export const Grant = z.object({
  id,
  /** Exactly one of both is set. */
  site_id: id.nullable(),
  group_id: id.nullable(),
  /** The name of the site or group. */
  target_name: z.string(),
  /** Exactly one of both is set. */
  user_id: id.nullable(),
  team_id: id.nullable(),
  /** The name of the person or team. */
  name: z.string(),
  email: z.string().nullable(),
  role: z.enum(grantRoles),
  /** Who shared it. */
  shared_by: z.string(),
  created_at: timestamp,
});
export type Grant = z.infer<typeof Grant>;

/**
 * Lists the grants of the sites and groups that the caller owns or manages. Those of one site or group include the ones
 * that it inherits from the groups above.
 */
export const listGrants = contract('sites.grants.list', {
  http: 'GET /api/grants',
  access: 'user',
  scope: 'read',
  grantRole: 'manager',
  reads: ['grants', 'teams'],
  input: z.object({
    site_id: id.optional(),
    group_id: id.optional(),
    user_id: id.optional(),
    team_id: id.optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    offset,
  }),
  output: z.object({ items: z.array(Grant), total: z.int() }),
});

const hasOne = (one: unknown, other: unknown) => (one === undefined) !== (other === undefined);

export const CreateGrant = z
  .object({
    site_id: id.optional(),
    group_id: id.optional(),
    user_id: id.optional(),
    team_id: id.optional(),
    role: oneOf(grantRoles),
  })
  .refine((grant) => hasOne(grant.site_id, grant.group_id), 'Partagez un site ou un groupe, l’un des deux.')
  .refine((grant) => hasOne(grant.user_id, grant.team_id), 'Partagez avec une personne ou une équipe, l’une des deux.');
export type CreateGrant = z.input<typeof CreateGrant>;

/** Shares a site or group. Where it is shared with them already, their role changes. */
export const createGrant = contract('sites.grants.create', {
  http: 'POST /api/grants',
  access: 'fresh',
  grantRole: 'manager',
  status: 201,
  changes: ['grants', 'sites', 'groups', 'activity'],
  input: CreateGrant,
  output: Grant,
});

export const deleteGrant = contract('sites.grants.delete', {
  http: 'DELETE /api/grants/:id',
  access: 'fresh',
  grantRole: 'manager',
  changes: ['grants', 'sites', 'groups', 'activity'],
  input: z.object({ id }),
  output: z.object({}),
});
