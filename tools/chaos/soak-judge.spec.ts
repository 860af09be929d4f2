import { expect, it } from 'vitest';
import { growing, judgeLife, judgeLives, type Life, type Reading } from './soak-judge';

type At = Partial<Record<'megabytes' | 'descriptors' | 'connections', (minute: number) => number>>;

/** One reading each five seconds. */
const life = (minutes: number, { megabytes, descriptors, connections }: At = {}): Reading[] =>
  Array.from({ length: minutes * 12 }, (_, n) => ({
    at: 1_000 + n * 5,
    megabytes: megabytes?.(n / 12) ?? 150,
    descriptors: descriptors?.(n / 12) ?? 60,
    connections: connections?.(n / 12) ?? 20,
  }));
const flatness = (readings: Reading[]) =>
  Object.fromEntries(judgeLife(readings)?.map(({ measure, isFlat }) => [measure, isFlat]) ?? []);
const flat = { megabytes: true, descriptors: true, connections: true };

it('lets pass what stays, what warms up, and what goes up and down', () => {
  expect(flatness(life(30))).toEqual(flat);
  expect(flatness(life(30, { megabytes: (minute) => Math.min(220, 90 + minute * 30) }))).toEqual(flat);
  // As what is kept for a while is given back, now after one minute, now after two.
  expect(flatness(life(30, { megabytes: (minute) => 150 + (minute % 1) * 60 + (minute % 2) * 20 }))).toEqual(flat);
  expect(flatness(life(30, { connections: (minute) => 20 + Math.round((minute % 1.5) * 40) }))).toEqual(flat);
});

it('sees a leak, also below a sawtooth, and says how fast it is', () => {
  const saw = (minute: number) => 150 + (minute % 1) * 60;
  const [course] = judgeLife(life(30, { megabytes: (minute) => saw(minute) + minute * 3 })) ?? [];
  expect(course).toMatchObject({ measure: 'megabytes', isFlat: false });
  expect(Math.round((course?.perHour ?? 0) / 10)).toBe(18);
});

it('sees descriptors and connections that nobody closes', () => {
  const leaking = (minute: number) => 20 + Math.floor(minute);
  expect(flatness(life(30, { descriptors: leaking }))).toEqual({ ...flat, descriptors: false });
  expect(flatness(life(30, { connections: leaking }))).toEqual({ ...flat, connections: false });
});

it('is not turned by one moment that stands out', () => {
  const once = (minute: number) => (minute > 28 && minute < 29.9 ? 400 : 150);
  expect(flatness(life(30, { megabytes: once }))).toEqual(flat);
});

it('sees what each request of an attack would leave behind', () => {
  const requestsAMinute = 100_000 / 20;
  const twoKilobytesEach = (minute: number) => 150 + (minute * requestsAMinute * 2) / 1024;
  expect(flatness(life(20, { megabytes: twoKilobytesEach }))).toEqual({ ...flat, megabytes: false });
  const aSocketOfTenThousand = (minute: number) => 60 + Math.floor((minute * requestsAMinute) / 2_500);
  expect(flatness(life(20, { descriptors: aSocketOfTenThousand }))).toEqual({ ...flat, descriptors: false });
});

it('sees the smaller a leak the longer it looks', () => {
  const slow = (minute: number) => 150 + minute / 2;
  expect(flatness(life(30, { megabytes: slow }))).toEqual(flat);
  expect(flatness(life(90, { megabytes: slow }))).toEqual({ ...flat, megabytes: false });
});

it('says nothing of a process that was killed before one could tell', () => {
  expect(judgeLife(life(4, { megabytes: (minute) => 100 + minute * 100 }))).toBeUndefined();
  expect(flatness(life(6))).toEqual(flat);
  expect(judgeLife([])).toBeUndefined();
});

const aLife = (app: string, readings: Reading[]): Life => ({ app, name: `${app} 1`, readings });
const found = (lives: Life[], apps = ['gateway', 'dns-svc']) => growing(judgeLives(lives), apps).map(({ id }) => id);

it('says of each app whether anybody lived long enough to be judged', () => {
  expect(found([aLife('gateway', life(30)), aLife('dns-svc', life(30))])).toEqual([]);
  expect(found([aLife('gateway', life(4)), aLife('dns-svc', life(30))])).toEqual(['gateway : aucune vie assez longue']);
  expect(found([])).toHaveLength(2);
});

it('names what grows, and of whom', () => {
  const leaking = life(30, { descriptors: (minute) => 20 + Math.floor(minute) });
  expect(found([aLife('gateway', leaking), aLife('dns-svc', life(30))])).toEqual([
    expect.stringMatching(/^gateway 1 \d+ → \d+ descripteurs/),
  ]);
});

it('does not take for a leak what goes to where a longer life of the same app stayed', () => {
  const young = life(8, { megabytes: (minute) => 110 + minute * 8 });
  const old = life(30, { megabytes: (minute) => Math.min(180, 110 + minute * 8) });
  expect(found([aLife('gateway', young), aLife('gateway', old)], [])).toEqual([]);
  expect(found([aLife('gateway', young), aLife('dns-svc', old)], [])).toHaveLength(1);
  const higher = life(8, { megabytes: (minute) => 110 + minute * 20 });
  expect(found([aLife('gateway', higher), aLife('gateway', old)], [])).toHaveLength(1);
});

it('lets pass what is given back once nobody wants anything', () => {
  const readings = life(30, { connections: (minute) => 20 + minute, megabytes: (minute) => 100 + minute });
  const held = (connections: number, megabytes: number) =>
    growing(judgeLives([{ ...aLife('gateway', readings), rest: { megabytes, descriptors: 60, connections } }]), []).map(
      ({ id }) => id,
    );
  expect(held(22, 101)).toEqual([]);
  expect(held(22, 140)).toEqual([expect.stringContaining('Mo')]);
  expect(held(50, 101)).toEqual([expect.stringContaining('connexions')]);
});
