import { expect, it } from 'vitest';
import { findGrowth, judgeReadings, judgeProcesses, type ProcessReadings, type Reading } from './soak-judge';

type Usage = Partial<Record<'megabytes' | 'descriptors' | 'connections', (minute: number) => number>>;

const someReadings = (minutes: number, { megabytes, descriptors, connections }: Usage = {}): Reading[] =>
  Array.from({ length: minutes * 12 }, (_, n) => ({
    at: 1_000 + n * 5,
    megabytes: megabytes?.(n / 12) ?? 150,
    descriptors: descriptors?.(n / 12) ?? 60,
    connections: connections?.(n / 12) ?? 20,
  }));
const flatness = (readings: Reading[]) =>
  Object.fromEntries(judgeReadings(readings)?.map(({ resource, isFlat }) => [resource, isFlat]) ?? []);
const flat = { megabytes: true, descriptors: true, connections: true };

it('accepts constant use, warm-up and fluctuation', () => {
  expect(flatness(someReadings(30))).toEqual(flat);
  expect(flatness(someReadings(30, { megabytes: (minute) => Math.min(220, 90 + minute * 30) }))).toEqual(flat);
  // Cached resources are released after one or two minutes.
  expect(flatness(someReadings(30, { megabytes: (minute) => 150 + (minute % 1) * 60 + (minute % 2) * 20 }))).toEqual(
    flat,
  );
  expect(flatness(someReadings(30, { connections: (minute) => 20 + Math.round((minute % 1.5) * 40) }))).toEqual(flat);
});

it('finds a leak below a sawtooth, and its rate', () => {
  const saw = (minute: number) => 150 + (minute % 1) * 60;
  const [trend] = judgeReadings(someReadings(30, { megabytes: (minute) => saw(minute) + minute * 3 })) ?? [];
  expect(trend).toMatchObject({ resource: 'megabytes', isFlat: false });
  expect(Math.round((trend?.perHour ?? 0) / 10)).toBe(18);
});

it('finds leaks of descriptors and connections', () => {
  const leaking = (minute: number) => 20 + Math.floor(minute);
  expect(flatness(someReadings(30, { descriptors: leaking }))).toEqual({ ...flat, descriptors: false });
  expect(flatness(someReadings(30, { connections: leaking }))).toEqual({ ...flat, connections: false });
});

it('ignores a single peak', () => {
  const once = (minute: number) => (minute > 28 && minute < 29.9 ? 400 : 150);
  expect(flatness(someReadings(30, { megabytes: once }))).toEqual(flat);
});

it('finds small leaks per request of an attack', () => {
  const requestsAMinute = 100_000 / 20;
  const twoKilobytesEach = (minute: number) => 150 + (minute * requestsAMinute * 2) / 1024;
  expect(flatness(someReadings(20, { megabytes: twoKilobytesEach }))).toEqual({ ...flat, megabytes: false });
  const aSocketOfTenThousand = (minute: number) => 60 + Math.floor((minute * requestsAMinute) / 2_500);
  expect(flatness(someReadings(20, { descriptors: aSocketOfTenThousand }))).toEqual({ ...flat, descriptors: false });
});

it('finds smaller leaks in longer runs', () => {
  const slow = (minute: number) => 150 + minute / 2;
  expect(flatness(someReadings(30, { megabytes: slow }))).toEqual(flat);
  expect(flatness(someReadings(90, { megabytes: slow }))).toEqual({ ...flat, megabytes: false });
});

it('does not judge a process with too few readings', () => {
  expect(judgeReadings(someReadings(4, { megabytes: (minute) => 100 + minute * 100 }))).toBeUndefined();
  expect(flatness(someReadings(6))).toEqual(flat);
  expect(judgeReadings([])).toBeUndefined();
});

const aProcess = (app: string, readings: Reading[]): ProcessReadings => ({ app, name: `${app} 1`, readings });
const growthOf = (processes: ProcessReadings[], apps = ['gateway', 'dns-svc']) =>
  findGrowth(judgeProcesses(processes), apps).map(({ id }) => id);

it('reports apps without a process that ran long enough', () => {
  expect(growthOf([aProcess('gateway', someReadings(30)), aProcess('dns-svc', someReadings(30))])).toEqual([]);
  expect(growthOf([aProcess('gateway', someReadings(4)), aProcess('dns-svc', someReadings(30))])).toEqual([
    'gateway : aucune vie assez longue',
  ]);
  expect(growthOf([])).toHaveLength(2);
});

it('names the process and the growing resource', () => {
  const leaking = someReadings(30, { descriptors: (minute) => 20 + Math.floor(minute) });
  expect(growthOf([aProcess('gateway', leaking), aProcess('dns-svc', someReadings(30))])).toEqual([
    expect.stringMatching(/^gateway 1 \d+ → \d+ descripteurs/),
  ]);
});

it('accepts growth up to the level where an older process of the same app stays', () => {
  const young = someReadings(8, { megabytes: (minute) => 110 + minute * 8 });
  const old = someReadings(30, { megabytes: (minute) => Math.min(180, 110 + minute * 8) });
  expect(growthOf([aProcess('gateway', young), aProcess('gateway', old)], [])).toEqual([]);
  expect(growthOf([aProcess('gateway', young), aProcess('dns-svc', old)], [])).toHaveLength(1);
  const higher = someReadings(8, { megabytes: (minute) => 110 + minute * 20 });
  expect(growthOf([aProcess('gateway', higher), aProcess('gateway', old)], [])).toHaveLength(1);
});

it('accepts growth that is released when the product is idle', () => {
  const readings = someReadings(30, { connections: (minute) => 20 + minute, megabytes: (minute) => 100 + minute });
  const growthWhenIdle = (connections: number, megabytes: number) =>
    findGrowth(
      judgeProcesses([{ ...aProcess('gateway', readings), idle: { megabytes, descriptors: 60, connections } }]),
      [],
    ).map(({ id }) => id);
  expect(growthWhenIdle(22, 101)).toEqual([]);
  expect(growthWhenIdle(22, 140)).toEqual([expect.stringContaining('Mo')]);
  expect(growthWhenIdle(50, 101)).toEqual([expect.stringContaining('connexions')]);
});
