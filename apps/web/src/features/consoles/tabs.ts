import { createSignal, useSignal } from '../../ui/signal';
import type { ConsoleSession } from './ConsoleSession';

/** All consoles of this window, oldest first. */
export const tabs = createSignal<readonly ConsoleSession[]>([]);
const currentKey = createSignal<string | undefined>(undefined);
/** True once the live consoles were listed. */
export const isRestored = createSignal(false);

export const showTab = (key: string | undefined): void => currentKey.set(key);

export function useTabs() {
  const all = useSignal(tabs);
  const key = useSignal(currentKey);
  return { all, current: all.find((tab) => tab.key === key) ?? all.at(-1) };
}

export function neighbourTab(current: ConsoleSession, step: 1 | -1): ConsoleSession | undefined {
  const all = tabs.get();
  return all.at((all.indexOf(current) + step) % all.length);
}

export function removeTab(tab: ConsoleSession): void {
  const all = tabs.get();
  const at = all.indexOf(tab);
  tab.leave();
  tabs.set(all.filter((other) => other !== tab));
  if (currentKey.get() === tab.key) currentKey.set((all[at + 1] ?? all[at - 1])?.key);
}
