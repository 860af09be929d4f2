import type { Due } from './due';

type Room = { most: number; mostWays: number };

/** What shares a way stays together, as far as there is room. */
export function inBatches(due: readonly Due[], { most: max, mostWays: maxWays }: Room): string[][] {
  const batches: { ids: string[]; ways: Set<string> }[] = [];
  for (const { id, way } of due.toSorted((one, other) => (one.way < other.way ? -1 : Number(one.way > other.way)))) {
    const last = batches.at(-1);
    const hasRoom = last && last.ids.length < max && (last.ways.has(way) || last.ways.size < maxWays);
    const batch = hasRoom ? last : { ids: [], ways: new Set<string>() };
    if (!hasRoom) batches.push(batch);
    batch.ids.push(id);
    batch.ways.add(way);
  }
  return batches.map(({ ids }) => ids);
}
