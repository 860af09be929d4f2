import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from './api';
import { onReturn } from './connection';
import { session } from './session';
import { noteTickets } from './tickets';

export const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware, noteTickets),
});

// Polling pauses while the page is hidden; reads are repeated when the network returns, and when Vigie answers again, of
// which no browser tells.
setupListeners(store.dispatch);
onReturn(() => store.dispatch(api.internalActions.onOnline()));

let { adminMode } = session.get();

/** What was read as one's own is not what an administrator sees of everybody's. Each query that shows data has a tag. */
function followAdminMode(): void {
  const now = session.get();
  if (now.adminMode === adminMode) return;
  adminMode = now.adminMode;
  const read = Object.keys(store.getState().api.provided.tags);
  if (now.token !== null) store.dispatch(api.util.invalidateTags(read as never[]));
}

session.subscribe(followAdminMode);
