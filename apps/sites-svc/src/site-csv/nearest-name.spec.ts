import { expect, it } from 'vitest';
import { nearestName } from './nearest-name';

const names = ['démo-brest', 'web-03', 'web-12'];

it.each([
  ['web03', 'web-03'],
  ['WEB-30', 'web-03'],
  ['demo-brets', 'démo-brest'],
  ['brest', 'démo-brest'],
  ['nantes', undefined],
  ['', undefined],
])('%j is nearest to %j', (text, name) => {
  expect(nearestName(text, names)).toBe(name);
});
