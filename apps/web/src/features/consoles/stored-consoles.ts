import { z } from 'zod';
import type { Size } from './ConsoleLink';

const storageKey = 'consoles';
const StoredConsoles = z.record(z.string(), z.object({ cols: z.int().positive(), rows: z.int().positive() }));

/** The consoles of this window with their sizes, so that a reload takes them back at the same width. */
export function readStoredConsoles(): Record<string, Size> {
  try {
    return StoredConsoles.parse(JSON.parse(sessionStorage.getItem(storageKey) ?? '{}'));
  } catch {
    return {};
  }
}

function writeStoredConsoles(consoles: Record<string, Size>): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(consoles));
  } catch {
    // Without storage, a reload does not take the consoles back.
  }
}

export const storeConsole = (id: string, { cols, rows }: Size): void =>
  writeStoredConsoles({ ...readStoredConsoles(), [id]: { cols, rows } });

export function removeStoredConsole(id: string): void {
  const { [id]: _removed, ...rest } = readStoredConsoles();
  writeStoredConsoles(rest);
}
