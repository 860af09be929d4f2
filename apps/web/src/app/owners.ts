import { nameOf } from '../features/users/rows';
import { usersApi } from '../features/users/users.api';
import { useUser } from './useUser';

/** "à Anne Martin" for an item of somebody else, which only admin mode shows. */
export function useOwnerLabel({ owner_id: id }: { owner_id?: string | undefined }): string | undefined {
  const userId = useUser()?.id;
  const isOwn = id === undefined || userId === undefined || id === userId;
  const { data } = usersApi.useUsersQuery(undefined, { skip: isOwn });
  const owner = isOwn ? undefined : data?.items.find((user) => user.id === id);
  return owner && `à ${nameOf(owner)}`;
}
