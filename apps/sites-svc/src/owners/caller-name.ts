import { currentUser } from '@vigie/service-kit/context';

export const callerName = (): string => {
  const { name, email, sub } = currentUser();
  return name ?? email ?? sub;
};
