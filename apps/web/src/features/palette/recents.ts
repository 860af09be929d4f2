import { z } from 'zod';
import { readLocal, writeLocal } from '../../ui/storage';
import { Entity } from './entities';

const key = 'palette_recents';
const max = 6;

/** A page or an action by its id, or what was opened of what was found. */
export const Recent = z.union([z.string(), Entity]);
export type Recent = z.infer<typeof Recent>;
/** Another person at the same browser is not told their names. */
const Kept = z.object({ of: z.string().nullable(), recents: z.array(Recent) });

const idOf = (recent: Recent) => (typeof recent === 'string' ? recent : `${recent.kind} ${recent.id}`);

export function readRecents(userId: string | null): Recent[] {
  try {
    const kept = Kept.safeParse(JSON.parse(readLocal(key) ?? 'null')).data;
    // Whoever used it before it was known who that is was here a moment ago.
    return kept && (kept.of === userId || kept.of === null) ? kept.recents : [];
  } catch {
    return [];
  }
}

export function addRecent(userId: string | null, recent: Recent): void {
  const others = readRecents(userId).filter((other) => idOf(other) !== idOf(recent));
  writeLocal(key, JSON.stringify({ of: userId, recents: [recent, ...others].slice(0, max) }));
}
