import { createSignal, useSignal } from '../ui/signal';
import { clearLocal, readLocal, writeLocal } from '../ui/storage';

export type StoredSession = { token: string | null; userId: string | null; isAdmin: boolean; adminMode: boolean };

const isOn = (value: string | null) => value === 'true' || value === '1';

function readSession(): StoredSession {
  return {
    token: readLocal('access_token'),
    userId: readLocal('user_id'),
    isAdmin: isOn(readLocal('is_admin')),
    adminMode: isOn(readLocal('admin_mode')),
  };
}

const stored = createSignal(readSession());

export const session = { get: stored.get, subscribe: stored.subscribe };
export const useStoredSession = (): StoredSession => useSignal(stored);

/** True between the end of a session that nobody asked for and the next login: the login screen says why. */
export const sessionExpired = createSignal(false);

/** The other tabs hear of each value in its turn: whose the token is, is there before it. */
export function openSession(token: string, user: { id: string; is_admin: boolean }): void {
  writeUser(user);
  writeLocal('access_token', token);
  sessionExpired.set(false);
  stored.set(readSession());
}

function writeUser({ id, is_admin: isAdmin }: { id: string; is_admin: boolean }): void {
  writeLocal('user_id', id);
  writeLocal('is_admin', isAdmin ? 'true' : null);
}

/** What the server says of the user replaces what was stored. */
export function rememberUser(user: { id: string; is_admin: boolean }): void {
  writeUser(user);
  stored.set(readSession());
}

/** A 401: the server no longer knows the token. A late answer to an older token must not end a newer session. */
export function expireSession(token: string): void {
  if (readLocal('access_token') !== token) return;
  // The other tabs cannot tell it from a logout otherwise.
  writeLocal('session_expired', 'true');
  for (const key of ['access_token', 'user_id', 'is_admin', 'admin_mode', 'session_expired']) writeLocal(key, null);
  sessionExpired.set(true);
  stored.set(readSession());
}

/** What an administrator sees from now on: everything, or its own. */
export function setAdminMode(adminMode: boolean): void {
  writeLocal('admin_mode', adminMode ? '1' : null);
  stored.set(readSession());
}

export const forgetEverythingButPreferences = (): void => clearLocal(['theme', 'single-keys']);

// Another tab logged in or out, or was told that the session is over.
window.addEventListener('storage', (event) => {
  if (event.newValue !== null && event.key === 'session_expired') sessionExpired.set(true);
  if (event.newValue !== null && event.key === 'access_token') sessionExpired.set(false);
  if (event.key === null || ['access_token', 'user_id', 'is_admin', 'admin_mode'].includes(event.key))
    stored.set(readSession());
});
