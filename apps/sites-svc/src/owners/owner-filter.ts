import { currentUser } from '@vigie/service-kit/context';

/** Of whose rows the acting user may see and change: its own, everybody's with the admin mode on. */
export function ownerFilter(): { ownerId?: string } {
  const { sub, adminMode } = currentUser();
  return adminMode ? {} : { ownerId: sub };
}

/** Whose something is, for whoever may see what is somebody else's. */
export const shownOwner = (ownerId: string): { owner_id?: string } =>
  currentUser().adminMode ? { owner_id: ownerId } : {};
