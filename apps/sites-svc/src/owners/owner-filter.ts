import { currentUser } from '@vigie/service-kit/context';

/** The owner id under which the totals of all owners are stored. */
export const allOwners = '00000000-0000-0000-0000-000000000000';

/** The rows that the caller may see and change: his own, or everybody's in the admin mode. */
export function ownerFilter(): { ownerId?: string } {
  const { sub, adminMode } = currentUser();
  return adminMode ? {} : { ownerId: sub };
}

/** Shows the owner only in the admin mode. */
export const visibleOwner = (ownerId: string): { owner_id?: string } =>
  currentUser().adminMode ? { owner_id: ownerId } : {};
