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

export function openSession(token: string, user: { id: string; is_admin: boolean }): void {
  writeLocal('access_token', token);
  sessionExpired.set(false);
  rememberUser(user);
}

/** What the server says of the user replaces what was stored. */
export function rememberUser(user: { id: string; is_admin: boolean }): void {
  writeLocal('user_id', user.id);
  writeLocal('is_admin', user.is_admin ? 'true' : null);
  stored.set(readSession());
}

/** A 401: the server no longer knows the token. A late answer to an older token must not end a newer session. */
export function expireSession(token: string): void {
  if (readLocal('access_token') !== token) return;
  for (const key of ['access_token', 'user_id', 'is_admin', 'admin_mode']) writeLocal(key, null);
  sessionExpired.set(true);
  stored.set(readSession());
}

/** What an administrator sees from now on: everything, or its own. */
export function setAdminMode(adminMode: boolean): void {
  writeLocal('admin_mode', adminMode ? '1' : null);
  stored.set(readSession());
}

export const forgetEverythingButTheme = (): void => clearLocal(['theme']);

// Another tab logged in or out.
window.addEventListener('storage', (event) => {
  if (event.key === null || ['access_token', 'user_id', 'is_admin', 'admin_mode'].includes(event.key))
    stored.set(readSession());
});
