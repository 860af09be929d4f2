import { usersApi } from '../features/users/users.api';

/** Who is logged in; the frame shows hardly any screen before it knows. */
export const useUser = () => usersApi.useMeQuery().data;
