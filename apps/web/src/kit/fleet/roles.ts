import type { Contract } from '@vigie/contracts/contract';
import { type CallerRole, includesRole } from '@vigie/contracts/grant-roles';

/** A site or group, as far as it says what the caller may do with it. */
type WithRole = { role: CallerRole };

/** Whether the caller may make this call on a site or group: a call without a role of its own is the owner's. */
export const allows = ({ role }: WithRole, { grantRole }: Pick<Contract, 'grantRole'>): boolean =>
  includesRole(role, grantRole ?? 'owner');

/** Whether the user may make a call on a site, in a list that does not say their role. */
export type SiteRights = (siteId: string | null, call: Pick<Contract, 'grantRole'>) => boolean;

/** The connection, the address, the server and the zone of a site are its owner's alone. */
export const isOwn = ({ role }: WithRole): boolean => role === 'owner';

/** "Partagé par Anne Martin" for a site or group of somebody else. */
export const sharedLabel = ({ shared_by: name }: { shared_by?: string | null | undefined }): string | undefined =>
  name ? `Partagé par ${name}` : undefined;
