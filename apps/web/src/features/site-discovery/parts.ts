import type { Imported } from './site-discovery.api';

/** Far below what the contract takes: the answer comes well within its time. */
const maxAtOnce = 100;

export const nothing: Imported = { items: [], skipped: [] };

export const joined = (some: Imported, more: Imported): Imported => ({
  items: [...some.items, ...more.items],
  skipped: [...some.skipped, ...more.skipped],
});

/** One part after the other; undefined ends it, and what was made until then stays made. */
export async function importParts<Item>(
  items: readonly Item[],
  send: (part: Item[]) => Promise<Imported | undefined>,
): Promise<{ made: Imported; isWhole: boolean }> {
  let made = nothing;
  for (let at = 0; at < items.length; at += maxAtOnce) {
    // The next part is sent once this one is made: a failure leaves a known rest.
    const part = await send(items.slice(at, at + maxAtOnce));
    if (!part) return { made, isWhole: false };
    made = joined(made, part);
  }
  return { made, isWhole: true };
}
