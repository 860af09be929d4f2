import { createSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';

export const sizes = { least: 11, usual: 13, most: 20 };

export type Preferences = { fontSize: number; isRead: boolean };

const clamp = (size: number) => Math.min(sizes.most, Math.max(sizes.least, size));

function readSize(): number {
  const stored = Number(readLocal('console-font') ?? sizes.usual);
  return Number.isInteger(stored) ? clamp(stored) : sizes.usual;
}

/** Stored in this browser, for all consoles. `isRead` is the screen reader mode of xterm. */
export const preferences = createSignal<Preferences>({
  fontSize: readSize(),
  isRead: readLocal('console-reader') === '1',
});

export function zoom(step: 1 | -1 | 0): void {
  const { fontSize, isRead } = preferences.get();
  const next = step === 0 ? sizes.usual : clamp(fontSize + step);
  writeLocal('console-font', String(next));
  preferences.set({ fontSize: next, isRead });
}

export function readAloud(isRead: boolean): void {
  writeLocal('console-reader', isRead ? '1' : null);
  preferences.set({ ...preferences.get(), isRead });
}
