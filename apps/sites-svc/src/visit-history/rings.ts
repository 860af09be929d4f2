import type { EntityManager } from 'typeorm';

/** Tables whose parts are filled in turn, each for so many seconds, and emptied as a whole before their next turn. */
const rings = {
  visit_samples: { slots: 8, slotSeconds: 3_600 },
  visit_quarters: { slots: 10, slotSeconds: 86_400 },
} as const;
export type Ring = keyof typeof rings;

/** SQL for the part of a ring that holds the rows of this time. */
export function slotSql(ring: Ring, at: string): string {
  const { slots, slotSeconds } = rings[ring];
  return `(floor(extract(epoch from ${at}) / ${slotSeconds})::bigint % ${slots})::smallint`;
}

/** How far back the rows of a ring reach: one part is being filled, and one is empty. */
export function keptSeconds(ring: Ring): number {
  const { slots, slotSeconds } = rings[ring];
  return (slots - 2) * slotSeconds;
}

/** Empties the part that is filled next, if it still holds the rows of its last turn. */
export async function emptyNextSlot(manager: EntityManager, ring: Ring): Promise<void> {
  const { slotSeconds } = rings[ring];
  const [used]: { slot: number }[] = await manager.query(
    `select r.slot from ${ring} r where r.slot = ${slotSql(ring, `now() + interval '${slotSeconds} seconds'`)} limit 1`,
  );
  if (used) await manager.query('select empty_slot($1, $2)', [ring, used.slot]);
}
