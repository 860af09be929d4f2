import type { Uptime, UptimePoint } from '@vigie/contracts/uptime';
import { expect, it } from 'vitest';
import { UptimeSearch } from './search';
import { addressWords, beatTitle, describeTimes, domainWords, explainBeats, intervalWords, pointWords } from './words';

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

it.each([
  [{}, 'Domaine : boutique.fr, expire le 3 mars 2027 (enregistré chez OVH).'],
  [{ registrar: null, expires_at: '2026-01-03T12:00:00Z' }, 'Domaine : boutique.fr, a expiré le 3 janvier 2026.'],
  [{ checked_at: null, expires_at: null, state: 'unknown' as const }, 'Domaine : boutique.fr, pas encore vérifié.'],
  [
    { expires_at: null, state: 'unknown' as const, error: 'Le registre ne publie pas de date de fin.' },
    'Domaine : boutique.fr, fin inconnue. Le registre ne publie pas de date de fin.',
  ],
  [
    { registrar: null, state: 'failed' as const, error: 'Adresse non autorisée' },
    'Domaine : boutique.fr, expire le 3 mars 2027. Dernière lecture en échec : Adresse non autorisée.',
  ],
  [
    { state: 'unknown' as const, registrar: null, error: 'Le registre ne connaît pas ce domaine.' },
    'Domaine : boutique.fr, expire le 3 mars 2027. Le registre ne connaît pas ce domaine.',
  ],
  [
    { phase: 'renewing' as const, registrar: null },
    'Domaine : boutique.fr, expire le 3 mars 2027. Le registre l’a prolongé d’office, en attendant qu’il soit payé.',
  ],
  [
    { phase: 'lapsed' as const },
    'Domaine : boutique.fr, n’a pas été renouvelé (enregistré chez OVH). Le registre va le libérer : il faut le racheter au plus vite.',
  ],
  [
    { checked_at: '2026-02-27T03:20:00Z', registrar: null },
    expect.stringMatching(/^Domaine : boutique\.fr, expire le 3 mars 2027\. Lu le 27 févr\. à .+\.$/),
  ],
])('says when the domain ends: %j', (fields, words) => {
  const domain = {
    name: 'boutique.fr',
    state: 'known' as const,
    phase: 'usual' as const,
    expires_at: '2027-03-03T12:00:00Z',
    registrar: 'OVH',
    checked_at: '2026-03-03T03:20:00Z',
    error: null,
    ...fields,
  };
  expect(spaced(domainWords(domain, new Date('2026-03-03T03:20:00Z')))).toEqual(words);
});

it('says where the name of the site leads, and since when', () => {
  const addresses = { current: ['192.0.2.1', '2001:db8::1'], previous: [], changed_at: null };
  expect(spaced(addressWords(addresses))).toBe('Adresses : 192.0.2.1, 2001:db8::1.');
  const changed = { current: ['192.0.2.1'], previous: ['198.51.100.7'], changed_at: '2026-03-03T03:20:00Z' };
  expect(spaced(addressWords(changed))).toMatch(
    /^Adresse : 192\.0\.2\.1\. Changement le 3 mars à .+ \(avant : 198\.51\.100\.7\)\.$/,
  );
});
