import type { ActivityItem } from '@vigie/contracts/activity';

type Items = readonly ActivityItem[];

/** All events of a batch share one line of the feed. */
const keyOf = ({ id, batch_id: batch }: ActivityItem) => batch ?? id;

export function joinFeed(newest: Items, older: Items, limit: number): ActivityItem[] {
  const keys = new Set(newest.map(keyOf));
  const last = newest.at(-1)?.created_at ?? '';
  const rest = older.filter((item) => !keys.has(keyOf(item)) && item.created_at <= last);
  return [...newest, ...rest].slice(0, limit);
}

/** True when more new lines came than one page holds, so that those between the page and the older lines are unknown. */
export function hasGap(newest: Items, older: Items): boolean {
  const keys = new Set(older.map(keyOf));
  return newest.length > 0 && older.length > 0 && !newest.some((item) => keys.has(keyOf(item)));
}

/** A line of the feed, and how many logins it stands for. */
export type FeedLine = { item: ActivityItem; times: number };

/** The logins of one person are one line, where the latest of them stands. */
export function foldLogins(items: Items): FeedLine[] {
  const lines = new Map<string, FeedLine>();
  for (const item of items) {
    const key = item.type === 'login' ? `login ${item.actor_name}` : item.id;
    const line = lines.get(key);
    if (line) line.times += 1;
    else lines.set(key, { item, times: 1 });
  }
  return [...lines.values()];
}
