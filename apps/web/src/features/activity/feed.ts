import type { ActivityItem } from '@vigie/contracts/activity';

type Items = readonly ActivityItem[];

/** A run is one line, whichever of its lines is the latest. */
const keyOf = ({ id, batch_id: batch }: ActivityItem) => batch ?? id;

/** The first lines, as they are now, before the older ones that were asked for once. */
export function joinFeed(first: Items, older: Items, limit: number): ActivityItem[] {
  const keys = new Set(first.map(keyOf));
  const last = first.at(-1)?.created_at ?? '';
  const rest = older.filter((item) => !keys.has(keyOf(item)) && item.created_at <= last);
  return [...first, ...rest].slice(0, limit);
}

/** More came than the first lines hold: what lies between them and the older ones is not known. */
export function hasGap(first: Items, older: Items): boolean {
  const keys = new Set(older.map(keyOf));
  return first.length > 0 && older.length > 0 && !first.some((item) => keys.has(keyOf(item)));
}
