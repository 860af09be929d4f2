import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { topics } from '@vigie/contracts/routes';
import { api } from './query/api';
import { forgetCreationKeys } from './query/creation-keys';
import { onReconnect } from './query/connection';
import { session } from './query/session';
import { tellFailures } from './query/tell-failures';
import { followJobTickets } from './job/job-tickets';

export const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware, followJobTickets, tellFailures),
});

// Polling pauses while the page is hidden. Queries run again when the network returns and when Vigie responds again, which
// no browser event reports.
setupListeners(store.dispatch);
onReconnect(() => store.dispatch(api.internalActions.onOnline()));

let { adminMode } = session.get();

/** Admin mode changes what every query returns. Each query that shows data has a tag. */
function followAdminMode(): void {
  const now = session.get();
  if (now.adminMode === adminMode) return;
  adminMode = now.adminMode;
  if (now.token !== null) store.dispatch(api.util.invalidateTags([...topics]));
}

session.subscribe(followAdminMode);
session.subscribe(forgetCreationKeys);
