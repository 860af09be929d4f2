import type { Due } from './due';

type BatchLimits = { maxTargets: number; maxConnections: number };

/** Keeps targets of one connection together, as far as the limits allow. */
export function toBatches(due: readonly Due[], { maxTargets, maxConnections }: BatchLimits): string[][] {
  const batches: { ids: string[]; connections: Set<string> }[] = [];
  for (const { id, connection } of due.toSorted((one, other) =>
    one.connection < other.connection ? -1 : Number(one.connection > other.connection),
  )) {
    const lastBatch = batches.at(-1);
    const hasRoom =
      lastBatch &&
      lastBatch.ids.length < maxTargets &&
      (lastBatch.connections.has(connection) || lastBatch.connections.size < maxConnections);
    const batch = hasRoom ? lastBatch : { ids: [], connections: new Set<string>() };
    if (!hasRoom) batches.push(batch);
    batch.ids.push(id);
    batch.connections.add(connection);
  }
  return batches.map(({ ids }) => ids);
}
