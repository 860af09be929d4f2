import { expect, it, onTestFinished } from 'vitest';
import { measure } from './measure';
import { aim, ratioTo, tableOf } from './report';
import { Workbench } from './workbench';

function aWorkbench() {
  const interruption = new AbortController();
  const bench = new Workbench('essai', interruption.signal);
  onTestFinished(() => bench.close());
  return { bench, interrupt: () => interruption.abort() };
}

function aRace(isInSequence: boolean) {
  const order: string[] = [];
  const contender = (name: string, rounds?: number) => ({
    name,
    prepare: async () => order.push(`${name} prepares`),
    run: async () => ({ at: order.push(name) }),
    ...(rounds !== undefined && { rounds }),
  });
  const race = measure({
    title: 'race',
    contenders: { vigie: contender('Vigie'), rival: contender('rival', 1) },
    rounds: 2,
    isInSequence,
    summarize: (samples) => ({ count: samples.length }),
    columns: () => [['', ({ count }) => `${count}`]],
  });
  return { race, order };
}

it('lets the contenders prepare, then take turns, each for its own number of rounds', async () => {
  const { race, order } = aRace(false);
  const [report] = await race(aWorkbench().bench);
  expect(order).toEqual(['Vigie prepares', 'rival prepares', 'Vigie', 'rival', 'Vigie']);
  expect(report?.table).toEqual([
    ['', ''],
    ['Vigie', '2'],
    ['rival', '1'],
  ]);
});

it('lets one contender finish before the next prepares', async () => {
  const { race, order } = aRace(true);
  await race(aWorkbench().bench);
  expect(order).toEqual(['Vigie prepares', 'Vigie', 'Vigie', 'rival prepares', 'rival']);
});

it('starts nothing more after an interrupt', async () => {
  const { bench, interrupt } = aWorkbench();
  interrupt();
  const { race, order } = aRace(false);
  await expect(race(bench)).rejects.toThrow('aborted');
  expect(order).not.toContain('Vigie');
});

it.each([
  ['<', 1, 'manquée'],
  ['≤', 1, 'tenue'],
  ['≥', 1, 'tenue'],
  ['≥', 2, 'tenue'],
  ['<', Number.NaN, 'manquée'],
] as const)('says whether a figure reaches its goal: %s 1, %d', (sign, value, verdict) => {
  expect(aim('rapport', value, sign, 1)).toContain(`visée ${sign} 1,00\u00a0: ${verdict}`);
});

it('compares the figure of each row with that of a rival', () => {
  const [own, rival] = [
    { name: 'Vigie', ms: 30 },
    { name: 'ssh', ms: 20 },
  ];
  const cells = tableOf([own, rival], [['rapport', ratioTo(rival, ({ ms }) => ms)]]);
  expect(cells.slice(1)).toEqual([
    ['Vigie', '×\u00a01,50'],
    ['ssh', ''],
  ]);
});
