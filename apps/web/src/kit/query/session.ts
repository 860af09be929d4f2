import { createSignal, useSignal } from '../../ui/signal';
import { clearLocal, readLocal, writeLocal } from '../../ui/storage';

export type StoredSession = { token: string | null; userId: string | null; isAdmin: boolean; adminMode: boolean };

const isTrue = (value: string | null) => value === 'true' || value === '1';

function readSession(): StoredSession {
  return {
    token: readLocal('access_token'),
    userId: readLocal('user_id'),
    isAdmin: isTrue(readLocal('is_admin')),
    adminMode: isTrue(readLocal('admin_mode')),
  };
}

const storedSession = createSignal(readSession());

export const session = { get: storedSession.get, subscribe: storedSession.subscribe };
export const useStoredSession = (): StoredSession => useSignal(storedSession);

/** True from the expiry of a session to the next login: the login screen says why it appears. */
export const sessionExpired = createSignal(false);

/** Other tabs receive each value separately, so the user is stored before the token. */
export function openSession(token: string, user: { id: string; is_admin: boolean }): void {
  writeUser(user);
  writeLocal('access_token', token);
  sessionExpired.set(false);
  storedSession.set(readSession());
}

function writeUser({ id, is_admin: isAdmin }: { id: string; is_admin: boolean }): void {
  writeLocal('user_id', id);
  writeLocal('is_admin', isAdmin ? 'true' : null);
}

export function rememberUser(user: { id: string; is_admin: boolean }): void {
  writeUser(user);
  storedSession.set(readSession());
}

/** Called on a 401. A late response to an older token must not end a newer session. */
export function expireSession(token: string): void {
  if (readLocal('access_token') !== token) return;
  // Lets the other tabs distinguish an expiry from a logout.
  writeLocal('session_expired', 'true');
  for (const key of ['access_token', 'user_id', 'is_admin', 'admin_mode', 'session_expired']) writeLocal(key, null);
  sessionExpired.set(true);
  storedSession.set(readSession());
}

/** In admin mode an administrator sees the data of all users. */
export function setAdminMode(adminMode: boolean): void {
  writeLocal('admin_mode', adminMode ? '1' : null);
  storedSession.set(readSession());
}

export const forgetEverythingButPreferences = (): void => clearLocal(['theme', 'single-keys']);

// Another tab logged in or out, or its session expired.
window.addEventListener('storage', (event) => {
  if (event.newValue !== null && event.key === 'session_expired') sessionExpired.set(true);
  if (event.newValue !== null && event.key === 'access_token') sessionExpired.set(false);
  if (event.key === null || ['access_token', 'user_id', 'is_admin', 'admin_mode'].includes(event.key))
    storedSession.set(readSession());
});
