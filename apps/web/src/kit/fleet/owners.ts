import { sharedLabel } from './roles';
import { nameOf, useUser, userQueries } from './users';

type Possession = { owner_id?: string | undefined; shared_by?: string | null };

/** "à Anne Martin" for an item of somebody else in admin mode, "Partagé par Anne Martin" for one that they share. */
export function useOwnerLabel({ owner_id: id, ...item }: Possession): string | undefined {
  const userId = useUser()?.id;
  const isOwn = id === undefined || userId === undefined || id === userId;
  const { data } = userQueries.useUsersQuery(undefined, { skip: isOwn });
  const owner = isOwn ? undefined : data?.items.find((user) => user.id === id);
  return owner ? `à ${nameOf(owner)}` : sharedLabel(item);
}
