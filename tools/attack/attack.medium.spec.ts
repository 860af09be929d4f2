import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Stage } from './stage';
import { Attack } from './trial';

let stage: Stage;
let attack: Attack;
const perRoute = 4;

beforeAll(async () => {
  stage = await Stage.open(1);
  attack = await Attack.on(stage, { seed: 1, requests: 1, perRoute, isShort: true, only: '' });
});
afterAll(() => stage?.close());

it('finds nothing wrong in what hostile requests are answered', () => {
  expect(attack.report.findings).toEqual([]);
});

it('asks every route more than once', () => {
  expect(stage.routes.length).toBeGreaterThan(100);
  expect(attack.report.sent).toBeGreaterThan(stage.routes.length * perRoute);
});
