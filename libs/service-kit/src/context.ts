import { AsyncLocalStorage } from 'node:async_hooks';
import type { GrantRole } from '@vigie/contracts/grant-roles';
import type { TokenScope } from '@vigie/contracts/token-scopes';
import type { Role } from '@vigie/contracts/users';
import { AppError } from '@vigie/contracts/errors';

/** The user on whose behalf a call is made, as the gateway asserts it. */
export type ActingUser = {
  sub: string;
  role: Role;
  adminMode: boolean;
  sid: string;
  email?: string | undefined;
  name?: string | undefined;
  isRestricted?: boolean | undefined;
  /** The name of the token by which the user acts, whose id is then `sid`. */
  token?: string | undefined;
  /** What that token may do, which the gateway alone asks. */
  scopes?: readonly TokenScope[] | undefined;
  /** The groups to which that token is narrowed. */
  groupIds?: readonly string[] | undefined;
};

/** What every call, log line and job of one request share. */
export type Context = {
  requestId: string;
  user?: ActingUser | undefined;
  address?: string | undefined;
  /** Key under which the request may be repeated without a second creation. */
  idempotencyKey?: string | undefined;
  /** The current span of a trace, in W3C format. */
  traceparent?: string | undefined;
  /** The least role with which the call reaches what is shared with the user; without one it reaches only what they own. */
  grantRole?: GrantRole | undefined;
  /** As `grantRole`, and undefined where nothing is shared with the user. */
  sharedRole?: GrantRole | undefined;
};

const storage = new AsyncLocalStorage<Context>();

export const currentContext = (): Context | undefined => storage.getStore();

export const runInContext = <T>(context: Context, work: () => T): T => storage.run(context, work);

/** The caller is a token that is narrowed to groups: nothing is its own, and what it reaches is as if shared with it. */
export const isNarrowed = (): boolean => storage.getStore()?.user?.groupIds !== undefined;

export const callerAddress = (): string => storage.getStore()?.address ?? 'unknown';

/** The acting user. A handler without one was reached by a route with the wrong access policy. */
export function currentUser(): ActingUser {
  const user = storage.getStore()?.user;
  if (!user) throw new AppError('unauthorized', 'Veuillez vous connecter.');
  return user;
}
