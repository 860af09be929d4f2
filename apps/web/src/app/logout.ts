import type { UseNavigateResult } from '@tanstack/react-router';
import { sessionsApi } from '../features/sessions/sessions.api';
import { forgetEverythingButPreferences } from './session';
import { store } from './store';

declare module '@tanstack/react-router' {
  interface HistoryState {
    isLeaving?: true;
  }
}

const patienceMs = 3_000;

/** By the router: a screen that holds what is not saved asks first. Nobody comes back to it: the next one is another. */
export const leave = (navigate: UseNavigateResult<string>): void =>
  void navigate({ to: '/login', state: { isLeaving: true }, replace: true });

/** The server is told, but not waited for: whoever leaves is logged out here in any case, and the page starts anew. */
export async function logOut(): Promise<never> {
  const told = store.dispatch(sessionsApi.endpoints.logout.initiate());
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  forgetEverythingButPreferences();
  window.location.replace('/login');
  return new Promise(() => undefined);
}
