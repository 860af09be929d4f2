import { expect, it } from 'vitest';
import { explainAlert, formatAlert } from './alerts';

const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

it.each([
  [{ kind: 'disk', value: 93, threshold: 90 }, 'disque 93 % ≥ 90 %'],
  [{ kind: 'memory', value: 85, threshold: 85 }, 'mémoire 85 % ≥ 85 %'],
  [{ kind: 'load', value: 9.26, threshold: 8 }, 'charge 9,3 ≥ 8'],
  [{ kind: 'status', value: null, threshold: null }, 'ne répond pas par SSH'],
] as const)('says which threshold %j reached, and with which value', (alert, sentence) => {
  expect(spaced(formatAlert(alert))).toBe(sentence);
});

it.each([
  [{ kind: 'disk', value: 93, threshold: 90 }, 'Disque à 93 % (seuil 90 %, dépassé de 3 points)'],
  [{ kind: 'memory', value: 86, threshold: 85 }, 'Mémoire à 86 % (seuil 85 %, dépassé de 1 point)'],
  [{ kind: 'memory', value: 85, threshold: 85 }, 'Mémoire à 85 % (seuil 85 % atteint)'],
  [{ kind: 'load', value: 9.26, threshold: 8 }, 'Charge à 9,3 (seuil 8, dépassé de 1,3)'],
  [{ kind: 'status', value: null, threshold: null }, 'Ne répond pas par SSH'],
] as const)('says by how much %j exceeds its threshold', (alert, sentence) => {
  expect(spaced(explainAlert(alert))).toBe(sentence);
});
