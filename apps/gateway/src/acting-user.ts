import type { Session } from '@vigie/contracts/session-checks';
import type { ActingUser } from '@vigie/service-kit/context';

/** `X-Admin-Mode` only widens what an administrator sees, and of tokens only those that may. */
export function toActingUser(session: Session, wantsAdminMode: boolean): ActingUser {
  const { sid, sub, role, email, name, is_restricted: isRestricted, scopes, group_ids, token_name } = session;
  const mayBeAdmin = role === 'admin' && (!scopes || scopes.includes('admin'));
  return {
    sid,
    sub,
    role,
    email,
    name,
    adminMode: mayBeAdmin && wantsAdminMode,
    ...(isRestricted && { isRestricted }),
    token: token_name,
    scopes,
    groupIds: group_ids,
  };
}
