import { expect, it } from 'vitest';
import { Random } from '../chaos/random';
import { type Answer, faultsOf, judgeStep, maxHeld, nextRate, recoveryOf, refusedOf, type Verdict } from './load-judge';
import { type Crowd, inTurn, plan } from './load-plan';
import { conclude, type Measured } from './load-report';
import { arrivals, fireAt } from './open-loop';

const anAnswer = (fields: Partial<Answer> = {}): Answer => ({
  kind: 'listes',
  due: 0,
  late: 0.5,
  ms: 20,
  status: 200,
  hasRetryAfter: false,
  id: undefined,
  said: undefined,
  ...fields,
});
const answers = (count: number, at: (n: number) => Partial<Answer> = () => ({})) =>
  Array.from({ length: count }, (_, n) => anAnswer(at(n)));
const judge = (some: Answer[], loopMs = 1) =>
  judgeStep({ answers: some, startedAt: 0, loopMs }, { rate: some.length / 10, seconds: 10 });

it('holds what is answered in time, and tells each kind apart', () => {
  const step = judge([...answers(99), anAnswer({ kind: 'opérations', ms: 900 })]);
  expect(step).toMatchObject({ verdict: 'held', shed: 0, reads: { count: 99, perSecond: 9.9, p99: 20 } });
  expect(step.kinds.opérations).toMatchObject({ count: 1, p99: 900 });
});

it('is at an end where reads are late or something is shed', () => {
  const slow = answers(100, (n) => ({ ms: n < 2 ? 501 : 20 }));
  expect(judge(slow).verdict).toBe('exceeded');
  const shed = judge([...answers(99), anAnswer({ status: 503, hasRetryAfter: true, ms: 2 })]);
  expect(shed).toMatchObject({ verdict: 'exceeded', shed: 1, reads: { count: 99 } });
});

it('says nothing of the product where the generator was late itself', () => {
  expect(judge(answers(100, () => ({ late: 60, ms: 700 }))).verdict).toBe('blind');
  expect(judge(answers(100), 60).verdict).toBe('blind');
  const steps = [judge(answers(100)), judge(answers(100), 60)];
  expect(maxHeld(steps)).toBe(steps[0]);
  expect(maxHeld(steps.slice(1))).toBeUndefined();
});

it('takes a 503 for shed only where it says when to come back, and everything else for a fault', () => {
  const some = [
    anAnswer({ status: 503, hasRetryAfter: true }),
    anAnswer({ status: 503 }),
    anAnswer({ status: 500, hasRetryAfter: true }),
    anAnswer({ status: 500 }),
    anAnswer({ status: 0, said: 'ECONNRESET' }),
    anAnswer({ status: 404, kind: 'fiches' }),
    anAnswer({ status: 202, kind: 'tests' }),
  ];
  expect(Object.fromEntries(faultsOf(some))).toEqual({
    'listes : 503 without Retry-After': 1,
    'listes : 500': 2,
    'listes : ECONNRESET': 1,
    'fiches : 404': 1,
  });
});

it('says who was refused, and by which words', () => {
  const refusal = { status: 503, hasRetryAfter: true };
  const some = [
    ...answers(3),
    anAnswer({ ...refusal, said: 'saturée' }),
    anAnswer({ ...refusal, said: 'saturée', kind: 'tests' }),
    anAnswer({ status: 503, said: 'autre' }),
  ];
  const { kinds, sentences } = refusedOf(some);
  expect(Object.fromEntries(kinds)).toEqual({ listes: { refused: 1, sent: 5 }, tests: { refused: 1, sent: 1 } });
  expect(Object.fromEntries(sentences)).toEqual({ saturée: 2 });
});

it.each<[string, string, number | undefined]>([
  ['begins with the first', '', 10],
  ['goes up while it holds', '10 held', 20],
  ['tries once between what held and what did not', '10 held, 40 exceeded', 20],
  ['ends there when that holds', '10 held, 40 exceeded, 20 held', undefined],
  ['and when it does not', '10 held, 40 exceeded, 20 exceeded', undefined],
  ['goes down where the first was too much', '10 exceeded', 5],
  ['and up no more once that holds', '10 exceeded, 5 held', undefined],
  ['ends where nothing holds', '10 exceeded, 1.9 exceeded', undefined],
  ['ends where it sees nothing', '10 held, 20 blind', undefined],
])('%s', (_name, steps, rate) => {
  const tried = steps
    .split(', ')
    .filter(Boolean)
    .map((step) => {
      const [tries, verdict] = step.split(' ');
      return { rate: Number(tries), verdict: verdict as Verdict };
    });
  expect(nextRate(tried, { first: 10, factor: 2, most: 5 })).toBe(rate);
});

/** Ten a second: five seconds of calm, five of overload, ten after it, of which the first `bad` are late. */
const spell = (bad: number, at: Partial<Answer> = { ms: 400 }) =>
  answers(200, (n) => ({ due: n * 100, ...(n >= 50 && n < 100 + bad * 10 ? at : { ms: 20 + (n % 7) }) }));
const when = { from: 5_000, overAt: 10_000, until: 20_000 };

it('counts a recovery from the end of the overload to the first of three seconds as before', () => {
  expect(recoveryOf(spell(0), when)).toBe(0);
  expect(recoveryOf(spell(4), when)).toBe(4);
  expect(recoveryOf(spell(4, { status: 503, hasRetryAfter: true, ms: 1 }), when)).toBe(4);
  expect(recoveryOf(spell(9), when)).toBeUndefined();
  const relapse = spell(0).map((one) => (one.due >= 12_000 && one.due < 12_500 ? { ...one, ms: 400 } : one));
  expect(recoveryOf(relapse, when)).toBe(3);
});

const crowd = (): Crowd => {
  let orders = 0;
  return {
    readers: [
      { headers: {}, sites: ['a'], servers: ['s'], hasZones: false },
      { headers: {}, sites: ['b'], servers: ['t'], hasZones: true },
    ],
    gateways: 2,
    orderer: 1,
    nextOrder: () => `order-${(orders += 1)}`,
    hosts: ['h'],
  };
};

it('plans the same load for the same seed, in order, each order once, and zones for whoever has some', () => {
  const shots = plan(crowd(), new Random(7), { rate: 200, seconds: 10 });
  expect(plan(crowd(), new Random(7), { rate: 200, seconds: 10 })).toEqual(shots);
  expect(shots.map(({ due }) => due)).toEqual(shots.map(({ due }) => due).toSorted((one, other) => one - other));
  const ordered = shots.filter(({ kind }) => kind === 'opérations').map(({ path }) => path);
  expect(new Set(ordered).size).toBe(ordered.length);
  expect(ordered.length).toBeGreaterThan(15);
  expect(new Set(shots.filter(({ kind }) => kind === 'DNS').map(({ reader }) => reader))).toEqual(new Set([1]));
  expect(shots.every(({ path }) => path.startsWith('/api/') && !path.includes('undefined'))).toBe(true);
});

it('puts one load behind the other', () => {
  const shots = plan(crowd(), new Random(1), { rate: 20, seconds: 2 });
  const both = inTurn([
    { shots, seconds: 2 },
    { shots, seconds: 2 },
  ]);
  expect(both.slice(shots.length).map(({ due }) => due)).toEqual(shots.map(({ due }) => due + 2_000));
});

it('lets them come by chance, as many a second as are wanted', () => {
  const random = new Random(3);
  const dues = arrivals(100, 60, () => random.next());
  expect(Math.abs(dues.length - 6_000)).toBeLessThan(300);
  const gaps = dues.slice(1).map((due, n) => due - (dues[n] ?? 0));
  const even = gaps.filter((gap) => gap > 8 && gap < 12).length / gaps.length;
  expect(even).toBeLessThan(0.3);
});

it('sends each when it is due, though nobody answers those before it', async () => {
  const start = performance.now();
  let answerAll = () => {};
  const answered = new Promise<void>((resolve) => (answerAll = resolve));
  const late: number[] = [];
  await fireAt([start, start + 20, start + 40], async (due, place) => {
    late.push(performance.now() - due);
    if (place === 2) answerAll();
    await answered;
  });
  expect(late).toHaveLength(3);
  // A timer may be a moment early.
  expect(Math.min(...late)).toBeGreaterThan(-2);
});

const held = (rate: number, machine: number, others = 0.02) => {
  const shares = new Map([
    ['générateur 1', 0.1],
    ['gateway', machine - 0.1 - others],
  ]);
  const costs = { seconds: 10, shares, machine, perRequest: nothing };
  return { step: { rate, verdict: 'held' }, costs } as unknown as Measured;
};
const nothing = { calls: 0, transactions: 0, gatewayMs: 0, busMs: 0, ownerMs: 0 };
const blind = { step: { verdict: 'blind' } } as unknown as Measured;
const exceeded = { step: { verdict: 'exceeded' } } as unknown as Measured;
const round = (...measured: Measured[]) => ({
  measured,
  held: measured.findLast(({ step }) => step.verdict === 'held'),
});

it('concludes from what held, and says when it was the machine that had no more to give', () => {
  const full = conclude([round(held(100, 0.97), exceeded), round(held(110, 0.98), exceeded)]);
  expect(full).toMatch(/1,10[^]*déjà occupés à 97[^]*ne peuvent pas doubler/);
  const idle = conclude([round(held(100, 0.5), exceeded), round(held(180, 0.9), exceeded)]);
  expect(idle).toMatch(/1,80[^]*qu’à 50/);
  expect(full).not.toContain('au moins');
  expect(conclude([round(held(100, 0.97)), round(held(110, 0.98), exceeded)])).toContain('au moins');
});

it('concludes nothing where the generator was late, or where nothing held', () => {
  const seen = round(held(100, 0.9), exceeded);
  expect(conclude([seen, round(held(100, 0.9), blind)])).toContain('Pas de conclusion');
  expect(conclude([round(exceeded), seen])).toContain('Pas de conclusion');
});

it('concludes nothing where others had the machine', () => {
  const crowded = [round(held(100, 0.97, 0.4), exceeded), round(held(110, 0.98), exceeded)];
  expect(conclude(crowded)).toMatch(/Pas de conclusion[^]*40/);
});
