import { AsyncLocalStorage } from 'node:async_hooks';
import type { Role } from '@vigie/contracts/users';
import { AppError } from '@vigie/contracts/errors';

/** The user a call is made for, as the gateway asserts it. */
export type ActingUser = {
  sub: string;
  role: Role;
  adminMode: boolean;
  sid: string;
  email?: string | undefined;
  /** Of the user, as others read it. */
  name?: string | undefined;
  /** The session may only set up a 2FA. */
  isRestricted?: boolean | undefined;
};

/** What every call, log line and job of one request has in common. */
export type Context = {
  requestId: string;
  user?: ActingUser | undefined;
  address?: string | undefined;
  /** Under which the caller may ask again for the same creation. */
  idempotencyKey?: string | undefined;
  /** The step of a trace that it is done in, as W3C writes it. */
  traceparent?: string | undefined;
};

const storage = new AsyncLocalStorage<Context>();

export const currentContext = (): Context | undefined => storage.getStore();

export const runInContext = <T>(context: Context, work: () => T): T => storage.run(context, work);

/** Where the request came from, as the gateway knows it. */
export const callerAddress = (): string => storage.getStore()?.address ?? 'unknown';

/** The acting user; a handler that needs one and has none was reached by a route with the wrong access policy. */
export function currentUser(): ActingUser {
  const user = storage.getStore()?.user;
  if (!user) throw new AppError('unauthorized', 'Veuillez vous connecter.');
  return user;
}
