import type { UseNavigateResult } from '@tanstack/react-router';
import { sessionsApi } from '../../features/sessions/sessions.api';
import { forgetEverythingButPreferences } from '../../kit/query/session';
import { store } from '../../kit/store';

declare module '@tanstack/react-router' {
  interface HistoryState {
    isLeaving?: true;
  }
}

const maxWaitMs = 3_000;

/** Goes through the router, so that a screen with unsaved changes can ask first. */
export const startLogout = (navigate: UseNavigateResult<string>): void =>
  void navigate({ to: '/login', state: { isLeaving: true }, replace: true });

/** Logs out in this browser after 3 s even when the server does not respond, then reloads the page. */
export async function logOut(): Promise<never> {
  const logoutCall = store.dispatch(sessionsApi.endpoints.logout.initiate());
  await Promise.race([logoutCall, new Promise((resolve) => setTimeout(resolve, maxWaitMs))]);
  forgetEverythingButPreferences();
  window.location.replace('/login');
  return new Promise(() => undefined);
}
