import type { Console } from '@vigie/contracts/consoles';
import { session } from '../../kit/query/session';
import { store } from '../../kit/store';
import { ConsoleSession } from './ConsoleSession';
import { consoleCalls } from './console-calls.api';
import { isOver } from './link-state';
import { removeStoredConsole, readStoredConsoles } from './stored-consoles';
import { isRestored, removeTab, showTab, tabs } from './tabs';
import { consoleTarget, type Target } from './targets';

function add(tab: ConsoleSession): ConsoleSession {
  tabs.set([...tabs.get(), tab]);
  return tab;
}

/** Opens a new shell in a new visible tab. */
export function openTab(target: Target): ConsoleSession {
  const tab = add(new ConsoleSession(target));
  showTab(tab.key);
  return tab;
}

/** Opens an existing console by its id. */
export function openExisting(target: Target, id: string): ConsoleSession {
  const tab = add(new ConsoleSession(target, { id, size: readStoredConsoles()[id] }));
  showTab(tab.key);
  return tab;
}

/** Adds a tab for each live console. Those of this window reconnect at once, the others when they are shown. */
export function restoreTabs(live: readonly Console[]): void {
  const storedSizes = readStoredConsoles();
  for (const id of Object.keys(storedSizes)) if (!live.some((console) => console.id === id)) removeStoredConsole(id);
  const open = new Set(tabs.get().map((tab) => tab.console));
  for (const console of live) {
    if (open.has(console.id)) continue;
    const size = storedSizes[console.id];
    const isElsewhere = size === undefined && console.is_attached;
    add(new ConsoleSession(consoleTarget(console), { id: console.id, size, isElsewhere })).resume();
  }
  isRestored.set(true);
}

/** Ends the shell, if it may be running, and closes the tab. Returns the error if that failed. */
export async function endTab(tab: ConsoleSession): Promise<unknown> {
  const { state } = tab.view.get();
  const id = tab.console;
  if (id !== undefined && !isOver(state)) {
    const { error } = await store.dispatch(consoleCalls.endpoints.endConsole.initiate({ id }, { track: false }));
    if (error && !('status' in error && error.status === 404)) return error;
    removeStoredConsole(id);
  }
  removeTab(tab);
  return undefined;
}

const wakeAll = () => {
  for (const tab of tabs.get()) tab.wake();
};

window.addEventListener('online', wakeAll);
window.addEventListener('offline', wakeAll);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') wakeAll();
});
// The next user must not see these consoles.
session.subscribe(() => {
  if (session.get().token === null) for (const tab of tabs.get()) removeTab(tab);
});
