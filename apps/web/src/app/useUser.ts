import { usersApi } from '../features/users/users.api';

/** The current user. The shell shows hardly any screen before it is known. */
export const useUser = () => usersApi.useMeQuery().data;
