import { availableParallelism } from 'node:os';
import { sum } from './statistics';

export type Counts = {
  at: number;
  /** Processor time in milliseconds, per process and of the whole machine. */
  cpuMs: ReadonlyMap<string, number>;
  machineMs: number;
  transactions: number;
  layers: Layers;
};

export type Layers = Record<'requests' | 'requestSeconds' | 'calls' | 'callSeconds' | 'answerSeconds', number>;

export type Costs = {
  seconds: number;
  /** Shares of all processors, from 0 to 1. */
  shares: ReadonlyMap<string, number>;
  /** Share of all programs on the machine. */
  machine: number;
  perRequest: { calls: number; transactions: number; gatewayMs: number; busMs: number; ownerMs: number };
};

export function costsBetween(before: Counts, after: Counts): Costs {
  const ms = after.at - before.at;
  const machineShare = (usedMs: number) => usedMs / ms / availableParallelism();
  const difference = (name: keyof Layers) => after.layers[name] - before.layers[name];
  const requests = Math.max(1, difference('requests'));
  const msPerRequest = (seconds: number) => (seconds * 1_000) / requests;
  const shares = [...after.cpuMs].map(
    ([name, usedMs]) => [name, machineShare(usedMs - (before.cpuMs.get(name) ?? 0))] as const,
  );
  return {
    seconds: ms / 1_000,
    shares: new Map(shares),
    machine: machineShare(after.machineMs - before.machineMs),
    perRequest: {
      calls: difference('calls') / requests,
      transactions: (after.transactions - before.transactions) / requests,
      gatewayMs: msPerRequest(difference('requestSeconds') - difference('callSeconds')),
      busMs: msPerRequest(difference('callSeconds') - difference('answerSeconds')),
      ownerMs: msPerRequest(difference('answerSeconds')),
    },
  };
}

/** Adds up the replicas of each app. */
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
