import { expect, it } from 'vitest';
import { formatAlert } from './alerts';

const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

it.each([
  [{ kind: 'disk', value: 93, threshold: 90 }, 'disque 93 % ≥ 90 %'],
  [{ kind: 'memory', value: 85, threshold: 85 }, 'mémoire 85 % ≥ 85 %'],
  [{ kind: 'load', value: 9.26, threshold: 8 }, 'charge 9,3 ≥ 8'],
  [{ kind: 'status', value: null, threshold: null }, 'ne répond pas par SSH'],
] as const)('says which threshold %j reached, and with which value', (alert, sentence) => {
  expect(spaced(formatAlert(alert))).toBe(sentence);
});
