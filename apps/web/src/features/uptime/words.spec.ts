import type { Uptime, UptimePoint } from '@vigie/contracts/uptime';
import { expect, it } from 'vitest';
import { UptimeSearch } from './search';
import { beatTitle, describeTimes, explainBeats, intervalWords, pointWords } from './words';

const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');
type Beat = Uptime['beats'][number];
const aBeat = (fields: Partial<Beat> = {}): Beat => ({
  at: '2026-03-03T03:08:00Z',
  state: 'up',
  code: 200,
  ms: 84,
  ...fields,
});
const aPoint = (fields: Partial<UptimePoint> = {}): UptimePoint => ({
  at: '2026-03-03T03:00:00Z',
  ups: 12,
  downs: 0,
  others: 0,
  p50: 90,
  p95: 1_200,
  ...fields,
});

it.each([
  [30, 'toutes les 30 s'],
  [60, 'chaque minute'],
  [300, 'toutes les 5 min'],
  [3_600, 'chaque heure'],
  [7_200, 'toutes les 2 h'],
])('spells an interval of %i s', (seconds, words) => {
  expect(spaced(intervalWords(seconds))).toBe(words);
});

it('says what a check found', () => {
  expect(spaced(beatTitle(aBeat()))).toMatch(/ · HTTP 200 en 84 ms$/);
  expect(spaced(beatTitle(aBeat({ state: 'down', code: 0, ms: null })))).toMatch(/ · pas de réponse$/);
  expect(beatTitle(aBeat({ state: 'excused' }))).toMatch(/ · en travaux$/);
  expect(beatTitle(aBeat({ state: 'unsure' }))).toMatch(/ · Vigie était coupée du réseau$/);
});

it('explains the checks that do not count', () => {
  expect(explainBeats([aBeat()])).toEqual([]);
  const sentences = explainBeats([aBeat({ state: 'excused' }), aBeat({ state: 'unsure' }), aBeat({ state: 'unsure' })]);
  expect(sentences.map(spaced)).toEqual([
    '1 contrôle ne compte pas : le site était en travaux.',
    '2 contrôles ne comptent pas : Vigie était coupée du réseau.',
  ]);
});

it('says what a point and a whole curve show', () => {
  expect(spaced(pointWords(aPoint({ downs: 2 })))).toBe('médiane 90 ms, 95 % sous 1,2 s, 2 échecs');
  expect(pointWords(aPoint({ p50: null, p95: null }))).toBe('aucune réponse');
  expect(spaced(describeTimes([aPoint(), aPoint({ p50: 180, downs: 1 })], '7 j'))).toBe(
    'Temps de réponse sur 7 j : médiane de 90 ms à 180 ms, dernière 180 ms, 1 moment avec des échecs',
  );
  expect(spaced(describeTimes([aPoint({ p50: null, p95: null })], '24 h'))).toBe(
    'Temps de réponse sur 24 h : aucune réponse',
  );
});

it('drops an invalid period from the address', () => {
  expect(UptimeSearch.parse({ period: 'century' })).toEqual({ period: undefined });
});
