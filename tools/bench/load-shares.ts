import { availableParallelism } from 'node:os';
import { sum } from './statistics';

/** What was used and counted up to a moment. */
export type Counts = {
  at: number;
  /** Of the processor, in milliseconds: of each process by its name, and of all that runs on the machine. */
  cpuMs: ReadonlyMap<string, number>;
  machineMs: number;
  transactions: number;
  layers: Layers;
};

/** Counts and sums of seconds of the product's own measures, over its processes. */
export type Layers = Record<'requests' | 'requestSeconds' | 'calls' | 'callSeconds' | 'answerSeconds', number>;

/** Where the time of a while went. */
export type Costs = {
  seconds: number;
  /** Of the processors of the machine, from 0 to 1. */
  shares: ReadonlyMap<string, number>;
  /** Of all that runs on it, ours or not. */
  machine: number;
  perRequest: { calls: number; transactions: number; gatewayMs: number; busMs: number; ownerMs: number };
};

export function costsBetween(before: Counts, after: Counts): Costs {
  const ms = after.at - before.at;
  const ofMachine = (used: number) => used / ms / availableParallelism();
  const grown = (name: keyof Layers) => after.layers[name] - before.layers[name];
  const requests = Math.max(1, grown('requests'));
  const each = (seconds: number) => (seconds * 1_000) / requests;
  const shares = [...after.cpuMs].map(
    ([name, used]) => [name, ofMachine(used - (before.cpuMs.get(name) ?? 0))] as const,
  );
  return {
    seconds: ms / 1_000,
    shares: new Map(shares),
    machine: ofMachine(after.machineMs - before.machineMs),
    perRequest: {
      calls: grown('calls') / requests,
      transactions: (after.transactions - before.transactions) / requests,
      gatewayMs: each(grown('requestSeconds') - grown('callSeconds')),
      busMs: each(grown('callSeconds') - grown('answerSeconds')),
      ownerMs: each(grown('answerSeconds')),
    },
  };
}

/** Replicas of one name together, and what is not ours for itself. */
export function sharesByApp({ shares, machine }: Costs): Map<string, number> {
  const byApp = new Map<string, number>();
  for (const [name, share] of shares) {
    const app = name.replace(/ \d+$/, '');
    byApp.set(app, (byApp.get(app) ?? 0) + share);
  }
  byApp.set('autres', Math.max(0, machine - sum([...byApp.values()])));
  byApp.set('libre', Math.max(0, 1 - machine));
  return byApp;
}
