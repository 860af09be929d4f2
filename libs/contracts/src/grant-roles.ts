import { z } from 'zod';

/** What somebody may do with a site or group that is shared with them, the least first. */
export const grantRoles = ['viewer', 'operator', 'manager'] as const;
export type GrantRole = (typeof grantRoles)[number];

/** What the caller may do with a site or group: an owner may do everything. */
const callerRoles = [...grantRoles, 'owner'] as const;
export type CallerRole = (typeof callerRoles)[number];

/** Whether a role includes what another one allows. */
export const includesRole = (role: CallerRole, needed: CallerRole): boolean =>
  callerRoles.indexOf(role) >= callerRoles.indexOf(needed);

/** The fields of a site or group that say what the caller may do with it. */
export const callerRole = {
  role: z.enum(callerRoles).default('owner'),
  /** The name of the person who shared it with the caller; null for owners. */
  shared_by: z.string().nullable().default(null),
};
