import { z } from 'zod';
import type { Size } from './ConsoleLink';

const place = 'consoles';
const Remembered = z.record(z.string(), z.object({ cols: z.int().positive(), rows: z.int().positive() }));

/** The consoles of this window with their sizes, so that a reload takes them back at the same width. */
export function rememberedConsoles(): Record<string, Size> {
  try {
    return Remembered.parse(JSON.parse(sessionStorage.getItem(place) ?? '{}'));
  } catch {
    return {};
  }
}

function store(consoles: Record<string, Size>): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(consoles));
  } catch {
    // Without storage, a reload does not take the consoles back.
  }
}

export const rememberConsole = (id: string, { cols, rows }: Size): void =>
  store({ ...rememberedConsoles(), [id]: { cols, rows } });

export function forgetConsole(id: string): void {
  const { [id]: _gone, ...rest } = rememberedConsoles();
  store(rest);
}
