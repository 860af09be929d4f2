import { type Fault, longFaults, type Need, shortFaults } from './faults';
import { longWholeFaults, wholeFaults } from './faults-whole';
import { moments } from './moments';
import type { Random } from './random';

/** They go on while others strike. */
export const lasting: readonly Fault[] = [...longFaults, ...longWholeFaults];

type Wanted = { faults: number; isLong: boolean; lacking: readonly Need[] };

/** What strikes a product, in its order: each at least once where there is time for all of them. */
export function choose(random: Random, { faults, isLong, lacking }: Wanted): Fault[] {
  const isPossible = ({ needs }: Fault) => needs === undefined || !lacking.includes(needs);
  const long = isLong ? Array.from({ length: Math.ceil(faults / 12) }, () => random.one(lasting)) : [longFaults[0]];
  const defaults = isLong ? mixed(wholeFaults.filter(isPossible), shortFaults, moments) : shortFaults;
  const rest = Array.from({ length: faults - long.length }, (_, n) =>
    n < defaults.length ? defaults[n] : random.one(defaults),
  );
  const all = rest.flatMap((fault) => fault ?? []);
  for (const fault of long) if (fault) all.splice(isLong ? Math.floor(random.next() * all.length) : 0, 0, fault);
  return all;
}

/** In turns. */
const mixed = (...lists: readonly (readonly Fault[])[]) =>
  Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, n) =>
    lists.flatMap((list) => list[n] ?? []),
  ).flat();
