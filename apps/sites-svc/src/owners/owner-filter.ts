import { currentUser, isNarrowed } from '@vigie/service-kit/context';

/** The owner id under which the totals of all owners are stored. */
export const allOwners = '00000000-0000-0000-0000-000000000000';
const nobody = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The user of the call, whose rows they are, or everybody in the admin mode. */
export function callerFilter(): { ownerId?: string } {
  const { sub, adminMode } = currentUser();
  return adminMode ? {} : { ownerId: sub };
}

/** The rows that the caller may see and change: his own, or everybody's in the admin mode. */
export const ownerFilter = (): { ownerId?: string } => (isNarrowed() ? { ownerId: nobody } : callerFilter());

/** SQL condition: the caller may see the row. The parameter has the id of `callerFilter`, or null without one. */
export function isOwned(row: string, parameter: string, { ownerId } = ownerFilter()): string {
  if (ownerId === nobody) return `(${parameter}::uuid is null and false)`;
  return ownerId === undefined ? `${parameter}::uuid is null` : `${row}.owner_id = ${parameter}`;
}

/** The caller acts as the owner, and not by a grant: what a grant never gives is theirs alone. */
export function owns({ ownerId }: { ownerId: string }): boolean {
  const { sub, adminMode } = currentUser();
  return !isNarrowed() && (adminMode || ownerId === sub);
}

/** What is the whole installation's is every administrator's, and of no token that is narrowed to groups. */
export const callerIsAdministrator = (): boolean => currentUser().role === 'admin' && !isNarrowed();

/** Shows the owner only in the admin mode. */
export const visibleOwner = (ownerId: string): { owner_id?: string } =>
  currentUser().adminMode ? { owner_id: ownerId } : {};
