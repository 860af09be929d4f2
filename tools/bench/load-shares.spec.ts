import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { NumberedLines } from './lines';
import { type Counts, costsBetween, sharesByApp } from './load-shares';
import { readSamples, sumSamples } from './metric-samples';

const metricsText = `# HELP vigie_bus_call_seconds Time
# TYPE vigie_bus_call_seconds histogram
vigie_bus_call_seconds_bucket{le="0.005",contract="auth.users.me",outcome="ok",app="gateway"} 3
vigie_bus_call_seconds_sum{contract="auth.users.me",outcome="ok",app="gateway"} 0.25
vigie_bus_call_seconds_sum{contract="sites.sites.list",outcome="ok",app="gateway"} 1.5e-1
vigie_bus_call_seconds_sum{contract="sites.jobs.claim",outcome="ok",app="ssh-agent"} 9
vigie_leases_held{app="ssh-agent"} 2
process_start_time_seconds 1
`;

it('adds up one metric over all or some samples', () => {
  const samples = readSamples(metricsText);
  expect(sumSamples(samples, 'vigie_bus_call_seconds_sum', { app: 'gateway' })).toBeCloseTo(0.4);
  expect(sumSamples(samples, 'vigie_bus_call_seconds_sum')).toBeCloseTo(9.4);
  expect(sumSamples(samples, 'process_start_time_seconds')).toBe(1);
  expect(sumSamples(samples, 'vigie_nothing')).toBe(0);
});

const counts = (at: number, busy: number): Counts => ({
  at,
  cpuMs: new Map([
    ['gateway', busy],
    ['gateway 2', busy / 2],
    ['postgresql', busy * 2],
  ]),
  machineMs: busy * 4,
  transactions: busy * 3,
  layers: { requests: busy, requestSeconds: busy, calls: busy * 2, callSeconds: busy * 0.75, answerSeconds: busy / 2 },
});

it('computes the shares of each app, of other programs and of idle time', () => {
  const costs = costsBetween(counts(1_000, 100), counts(2_000, 200));
  const { calls, transactions, gatewayMs, busMs, ownerMs } = costs.perRequest;
  expect([calls, transactions, gatewayMs, busMs, ownerMs]).toEqual([2, 3, 250, 250, 500]);
  const shares = sharesByApp(costs);
  const cores = availableParallelism();
  const share = (ms: number) => expect.closeTo(ms / 1_000 / cores, 6);
  expect(Object.fromEntries(shares)).toEqual({
    gateway: share(150),
    postgresql: share(200),
    autres: share(50),
    libre: expect.closeTo(1 - 400 / 1_000 / cores, 6),
  });
});

it('counts missing and repeated lines, also when lines are split', () => {
  const lines = new NumberedLines();
  for (const piece of ['prompt $ lig\r\nlig', 'ne 7 d’un\r\nligne 8 d', 'un\r', '\nligne 9 x\r\n'])
    lines.add(Buffer.from(piece));
  expect([lines.count, lines.gaps]).toEqual([3, 0]);
  lines.add(Buffer.from('ligne 11 x\r\nligne 11 x\r\n'));
  expect([lines.count, lines.gaps]).toEqual([5, 2]);
});
