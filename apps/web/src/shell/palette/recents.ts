import { z } from 'zod';
import { readLocal, writeLocal } from '../../ui/storage';
import { Entity } from './entities';

const key = 'palette_recents';
const maxRecents = 6;

/** The id of a page or action, or a search result that was opened. */
export const Recent = z.union([z.string(), Entity]);
export type Recent = z.infer<typeof Recent>;
/** `of` is the user's id: another user of the same browser must not see these names. */
const StoredRecents = z.object({ of: z.string().nullable(), recents: z.array(Recent) });

const idOf = (recent: Recent) => (typeof recent === 'string' ? recent : `${recent.kind} ${recent.id}`);

export function readRecents(userId: string | null): Recent[] {
  try {
    const stored = StoredRecents.safeParse(JSON.parse(readLocal(key) ?? 'null')).data;
    // Without a user id, the entries were added moments ago, before the session was loaded.
    return stored && (stored.of === userId || stored.of === null) ? stored.recents : [];
  } catch {
    return [];
  }
}

export function addRecent(userId: string | null, recent: Recent): void {
  const others = readRecents(userId).filter((other) => idOf(other) !== idOf(recent));
  writeLocal(key, JSON.stringify({ of: userId, recents: [recent, ...others].slice(0, maxRecents) }));
}
