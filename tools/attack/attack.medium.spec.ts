import { afterAll, beforeAll, expect, it } from 'vitest';
import { Stage } from './stage';
import { Attack, shortPlan } from './attack';

let stage: Stage;
let attack: Attack;
/** The attack is one long operation, and a slow machine takes three times as long. */
const timeoutMs = 600_000;

beforeAll(async () => {
  stage = await Stage.open(1);
  attack = await Attack.run(stage, { ...shortPlan, seed: 1 });
}, timeoutMs);
afterAll(() => stage?.close());

/** Only `npm run attack` judges response times, on an otherwise idle machine. */
const isAboutTime = (finding: string) => /^(?:réponse après|sonde sans réponse avant) \d+ ms/.test(finding);

it('finds no fault in the answers to hostile requests', () => {
  expect(attack.report.findings.filter((finding) => !isAboutTime(finding))).toEqual([]);
});

it('aims at every route several times', () => {
  expect(stage.routes.length).toBeGreaterThan(100);
  const neglected = stage.routes.filter(({ key }) => (attack.report.aims.get(key) ?? 0) < shortPlan.perRoute);
  expect(neglected.map(({ key }) => key)).toEqual([]);
});
