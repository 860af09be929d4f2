import { type Fault, longFaults, type Need, shortFaults } from './faults';
import { longWholeFaults, wholeFaults } from './faults-whole';
import { moments } from './moments';
import type { Random } from './random';

/** Faults that last while others follow. */
export const lastingFaults: readonly Fault[] = [...longFaults, ...longWholeFaults];

type FaultPlan = { faults: number; isLong: boolean; missingNeeds: readonly Need[] };

/** Chooses the sequence of faults, each at least once if there are enough. */
export function chooseFaults(random: Random, { faults, isLong, missingNeeds }: FaultPlan): Fault[] {
  const isPossible = ({ needs }: Fault) => needs === undefined || !missingNeeds.includes(needs);
  const longOnes = isLong
    ? Array.from({ length: Math.ceil(faults / 12) }, () => random.one(lastingFaults))
    : [longFaults[0]];
  const defaults = isLong ? interleave(wholeFaults.filter(isPossible), shortFaults, moments) : shortFaults;
  const rest = Array.from({ length: faults - longOnes.length }, (_, n) =>
    n < defaults.length ? defaults[n] : random.one(defaults),
  );
  const sequence = rest.flatMap((fault) => fault ?? []);
  for (const fault of longOnes)
    if (fault) sequence.splice(isLong ? Math.floor(random.next() * sequence.length) : 0, 0, fault);
  return sequence;
}

const interleave = (...lists: readonly (readonly Fault[])[]) =>
  Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, n) =>
    lists.flatMap((list) => list[n] ?? []),
  ).flat();
