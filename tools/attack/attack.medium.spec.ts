import { afterAll, beforeAll, expect, it } from 'vitest';
import { Stage } from './stage';
import { Attack, shortPlan } from './trial';

let stage: Stage;
let attack: Attack;
/** All of it is one long question, which a slow machine may take twice as long to answer. */
const patienceMs = 400_000;

beforeAll(async () => {
  stage = await Stage.open(1);
  attack = await Attack.on(stage, { ...shortPlan, seed: 1 });
}, patienceMs);
afterAll(() => stage?.close());

/** How soon it answers is judged by `npm run attack`, on a machine that has nothing else to do. */
const isOfTime = (finding: string) => /^(?:réponse après|sonde sans réponse avant) \d+ ms/.test(finding);

it('finds nothing wrong in what hostile requests are answered', () => {
  expect(attack.report.findings.filter((finding) => !isOfTime(finding))).toEqual([]);
});

it('aims at every route several times', () => {
  expect(stage.routes.length).toBeGreaterThan(100);
  const missed = stage.routes.filter(({ key }) => (attack.report.aims.get(key) ?? 0) < shortPlan.perRoute);
  expect(missed.map(({ key }) => key)).toEqual([]);
});
