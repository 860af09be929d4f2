import { sessionsApi } from '../features/sessions/sessions.api';
import { forgetEverythingButTheme } from './session';
import { store } from './store';

const patienceMs = 3_000;

/** The server is told, but not waited for: whoever leaves is logged out here in any case. */
export async function logOut(): Promise<void> {
  const told = store.dispatch(sessionsApi.endpoints.logout.initiate());
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  forgetEverythingButTheme();
  window.location.reload();
}
