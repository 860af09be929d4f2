import { createSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';

export const sizes = { min: 11, default: 13, max: 20 };

export type Preferences = { fontSize: number; isScreenReader: boolean };

const clamp = (size: number) => Math.min(sizes.max, Math.max(sizes.min, size));

function readSize(): number {
  const stored = Number(readLocal('console-font') ?? sizes.default);
  return Number.isInteger(stored) ? clamp(stored) : sizes.default;
}

/** Stored in this browser, for all consoles. `isScreenReader` is the screen reader mode of xterm. */
export const preferences = createSignal<Preferences>({
  fontSize: readSize(),
  isScreenReader: readLocal('console-reader') === '1',
});

export function zoom(step: 1 | -1 | 0): void {
  const { fontSize, isScreenReader } = preferences.get();
  const next = step === 0 ? sizes.default : clamp(fontSize + step);
  writeLocal('console-font', String(next));
  preferences.set({ fontSize: next, isScreenReader });
}

export function setScreenReader(isScreenReader: boolean): void {
  writeLocal('console-reader', isScreenReader ? '1' : null);
  preferences.set({ ...preferences.get(), isScreenReader });
}
