import { expect, it } from 'vitest';
import { Random } from '../chaos/random';
import {
  type Answer,
  countFaults,
  judgeStep,
  maxHeld,
  nextRate,
  measureRecovery,
  countRefusals,
  type Verdict,
} from './load-judge';
import { type Crowd, concatenate, planRequests } from './load-plan';
import { conclude, type Measured } from './load-report';
import { arrivals, sendAt } from './open-loop';

const anAnswer = (fields: Partial<Answer> = {}): Answer => ({
  kind: 'listes',
  due: 0,
  late: 0.5,
  ms: 20,
  status: 200,
  hasRetryAfter: false,
  id: undefined,
  message: undefined,
  ...fields,
});
const answers = (count: number, fieldsOf: (n: number) => Partial<Answer> = () => ({})) =>
  Array.from({ length: count }, (_, n) => anAnswer(fieldsOf(n)));
const judge = (someAnswers: Answer[], loopMs = 1) =>
  judgeStep({ answers: someAnswers, startedAt: 0, loopMs }, { rate: someAnswers.length / 10, seconds: 10 });

it('accepts a step whose answers are fast, and measures each kind separately', () => {
  const step = judge([...answers(99), anAnswer({ kind: 'opérations', ms: 900 })]);
  expect(step).toMatchObject({ verdict: 'held', shed: 0, reads: { count: 99, perSecond: 9.9, p99: 20 } });
  expect(step.kinds.opérations).toMatchObject({ count: 1, p99: 900 });
});

it('rejects a step with slow reads or refused requests', () => {
  const slow = answers(100, (n) => ({ ms: n < 2 ? 501 : 20 }));
  expect(judge(slow).verdict).toBe('exceeded');
  const shed = judge([...answers(99), anAnswer({ status: 503, hasRetryAfter: true, ms: 2 })]);
  expect(shed).toMatchObject({ verdict: 'exceeded', shed: 1, reads: { count: 99 } });
});

it('does not judge the product when the generator was too slow', () => {
  expect(judge(answers(100, () => ({ late: 60, ms: 700 }))).verdict).toBe('blind');
  expect(judge(answers(100), 60).verdict).toBe('blind');
  const steps = [judge(answers(100)), judge(answers(100), 60)];
  expect(maxHeld(steps)).toBe(steps[0]);
  expect(maxHeld(steps.slice(1))).toBeUndefined();
});

it('counts a 503 as a fault unless it has a Retry-After header', () => {
  const someAnswers = [
    anAnswer({ status: 503, hasRetryAfter: true }),
    anAnswer({ status: 503 }),
    anAnswer({ status: 500, hasRetryAfter: true }),
    anAnswer({ status: 500 }),
    anAnswer({ status: 0, message: 'ECONNRESET' }),
    anAnswer({ status: 404, kind: 'fiches' }),
    anAnswer({ status: 202, kind: 'tests' }),
  ];
  expect(Object.fromEntries(countFaults(someAnswers))).toEqual({
    'listes : 503 without Retry-After': 1,
    'listes : 500': 2,
    'listes : ECONNRESET': 1,
    'fiches : 404': 1,
  });
});

it('counts refusals by kind and by message', () => {
  const refusal = { status: 503, hasRetryAfter: true };
  const someAnswers = [
    ...answers(3),
    anAnswer({ ...refusal, message: 'saturée' }),
    anAnswer({ ...refusal, message: 'saturée', kind: 'tests' }),
    anAnswer({ status: 503, message: 'autre' }),
  ];
  const { kinds, sentences } = countRefusals(someAnswers);
  expect(Object.fromEntries(kinds)).toEqual({ listes: { refused: 1, sent: 5 }, tests: { refused: 1, sent: 1 } });
  expect(Object.fromEntries(sentences)).toEqual({ saturée: 2 });
});

it.each<[string, string, number | undefined]>([
  ['starts with the first rate', '', 10],
  ['increases the rate after a held step', '10 held', 20],
  ['tries once between the held and the exceeded rate', '10 held, 40 exceeded', 20],
  ['ends when the rate between them holds', '10 held, 40 exceeded, 20 held', undefined],
  ['ends when the rate between them is exceeded', '10 held, 40 exceeded, 20 exceeded', undefined],
  ['decreases the rate when the first was exceeded', '10 exceeded', 5],
  ['does not increase the rate again after a lower one holds', '10 exceeded, 5 held', undefined],
  ['ends when no rate holds', '10 exceeded, 1.9 exceeded', undefined],
  ['ends when the generator was too slow', '10 held, 20 blind', undefined],
])('%s', (_name, steps, rate) => {
  const tried = steps
    .split(', ')
    .filter(Boolean)
    .map((step) => {
      const [tries, verdict] = step.split(' ');
      return { rate: Number(tries), verdict: verdict as Verdict };
    });
  expect(nextRate(tried, { first: 10, factor: 2, maxSteps: 5 })).toBe(rate);
});

/**
 * Ten answers per second: five seconds of normal load, five of overload and ten after it, of which the first
 * `slowSeconds` are slow.
 */
const overloadAnswers = (slowSeconds: number, fieldsOf: Partial<Answer> = { ms: 400 }) =>
  answers(200, (n) => ({ due: n * 100, ...(n >= 50 && n < 100 + slowSeconds * 10 ? fieldsOf : { ms: 20 + (n % 7) }) }));
const overloadTimes = { from: 5_000, overAt: 10_000, until: 20_000 };

it('measures the recovery from the end of the overload to the first of three normal seconds', () => {
  expect(measureRecovery(overloadAnswers(0), overloadTimes)).toBe(0);
  expect(measureRecovery(overloadAnswers(4), overloadTimes)).toBe(4);
  expect(measureRecovery(overloadAnswers(4, { status: 503, hasRetryAfter: true, ms: 1 }), overloadTimes)).toBe(4);
  expect(measureRecovery(overloadAnswers(9), overloadTimes)).toBeUndefined();
  const relapse = overloadAnswers(0).map((answer) =>
    answer.due >= 12_000 && answer.due < 12_500 ? { ...answer, ms: 400 } : answer,
  );
  expect(measureRecovery(relapse, overloadTimes)).toBe(3);
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

it('plans the same load for the same seed: sorted, without repeated orders, zones only for their owners', () => {
  const requests = planRequests(crowd(), new Random(7), { rate: 200, seconds: 10 });
  expect(planRequests(crowd(), new Random(7), { rate: 200, seconds: 10 })).toEqual(requests);
  expect(requests.map(({ due }) => due)).toEqual(
    requests.map(({ due }) => due).toSorted((left, right) => left - right),
  );
  const orderPaths = requests.filter(({ kind }) => kind === 'opérations').map(({ path }) => path);
  expect(new Set(orderPaths).size).toBe(orderPaths.length);
  expect(orderPaths.length).toBeGreaterThan(15);
  expect(new Set(requests.filter(({ kind }) => kind === 'DNS').map(({ reader }) => reader))).toEqual(new Set([1]));
  expect(requests.every(({ path }) => path.startsWith('/api/') && !path.includes('undefined'))).toBe(true);
});

it('concatenates loads', () => {
  const requests = planRequests(crowd(), new Random(1), { rate: 20, seconds: 2 });
  const combined = concatenate([
    { requests, seconds: 2 },
    { requests, seconds: 2 },
  ]);
  expect(combined.slice(requests.length).map(({ due }) => due)).toEqual(requests.map(({ due }) => due + 2_000));
});

it('generates random arrivals with the requested rate', () => {
  const random = new Random(3);
  const dues = arrivals(100, 60, () => random.next());
  expect(Math.abs(dues.length - 6_000)).toBeLessThan(300);
  const gaps = dues.slice(1).map((due, n) => due - (dues[n] ?? 0));
  const even = gaps.filter((gap) => gap > 8 && gap < 12).length / gaps.length;
  expect(even).toBeLessThan(0.3);
});

it('sends each request when it is due, even when earlier ones are unanswered', async () => {
  const start = performance.now();
  let answerAll = () => {};
  const answered = new Promise<void>((resolve) => (answerAll = resolve));
  const late: number[] = [];
  await sendAt([start, start + 20, start + 40], async (due, index) => {
    late.push(performance.now() - due);
    if (index === 2) answerAll();
    await answered;
  });
  expect(late).toHaveLength(3);
  // Timers may fire slightly early.
  expect(Math.min(...late)).toBeGreaterThan(-2);
});

const heldStep = (rate: number, machine: number, others = 0.02) => {
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

it('draws a conclusion from held steps, and reports when the machine was the limit', () => {
  const full = conclude([round(heldStep(100, 0.97), exceeded), round(heldStep(110, 0.98), exceeded)]);
  expect(full).toMatch(/1,10[^]*déjà occupés à 97[^]*ne peuvent pas doubler/);
  const idle = conclude([round(heldStep(100, 0.5), exceeded), round(heldStep(180, 0.9), exceeded)]);
  expect(idle).toMatch(/1,80[^]*qu’à 50/);
  expect(full).not.toContain('au moins');
  expect(conclude([round(heldStep(100, 0.97)), round(heldStep(110, 0.98), exceeded)])).toContain('au moins');
});

it('draws no conclusion when the generator was too slow or no step held', () => {
  const complete = round(heldStep(100, 0.9), exceeded);
  expect(conclude([complete, round(heldStep(100, 0.9), blind)])).toContain('Pas de conclusion');
  expect(conclude([round(exceeded), complete])).toContain('Pas de conclusion');
});

it('draws no conclusion when other programs used the machine', () => {
  const crowded = [round(heldStep(100, 0.97, 0.4), exceeded), round(heldStep(110, 0.98), exceeded)];
  expect(conclude(crowded)).toMatch(/Pas de conclusion[^]*40/);
});
