import { currentUser } from '@vigie/service-kit/context';

/** The owner id under which the totals of all owners are stored. */
export const allOwners = '00000000-0000-0000-0000-000000000000';

/** The rows that the caller may see and change: his own, or everybody's in the admin mode. */
export function ownerFilter(): { ownerId?: string } {
  const { sub, adminMode } = currentUser();
  return adminMode ? {} : { ownerId: sub };
}

/** SQL condition: the caller may see the row. The parameter has the id of `ownerFilter`, or null without one. */
export const isOwned = (row: string, parameter: string, { ownerId } = ownerFilter()): string =>
  ownerId === undefined ? `${parameter}::uuid is null` : `${row}.owner_id = ${parameter}`;

/** The caller acts as the owner, and not by a grant: what a grant never gives is theirs alone. */
export function owns({ ownerId }: { ownerId: string }): boolean {
  const { sub, adminMode } = currentUser();
  return adminMode || ownerId === sub;
}

/** Shows the owner only in the admin mode. */
export const visibleOwner = (ownerId: string): { owner_id?: string } =>
  currentUser().adminMode ? { owner_id: ownerId } : {};
