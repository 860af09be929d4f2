import type { IncidentItem } from '@vigie/contracts/incidents';
import { anIncident as aNightlyIncident } from '@vigie/testing/sample-incidents';
import { expect, it } from 'vitest';
import { IncidentsSearch } from './search';
import { describeObservation, mutedUntil, periodWords, stateTone, takenBy } from './words';

const spaced = (text: string | undefined) => text?.replaceAll(/[\u00a0\u202f]/g, ' ');
const now = new Date('2026-03-03T12:20:00Z');

const anIncident = (fields: Partial<IncidentItem> = {}): IncidentItem =>
  aNightlyIncident({
    cause: { kind: 'site', id: null, name: 'boutique.fr' },
    verdict: 'fails_there',
    observed_at: '2026-03-03T12:08:00Z',
    opened_at: '2026-03-03T12:11:00Z',
    ...fields,
  });
const over = { state: 'resolved' as const, resolved_at: '2026-03-03T12:29:00Z', failing: 0 };

it('is green only where good checks ended it', () => {
  expect(stateTone(anIncident())).toBe('danger');
  expect(stateTone(anIncident({ ...over, resolution: 'recovered' }))).toBe('ok');
  expect(stateTone(anIncident({ ...over, resolution: 'closed' }))).toBe('neutral');
});

it('says since when and for how long', () => {
  expect(spaced(periodWords(anIncident(), now))).toMatch(/^Depuis 12 min \(3 mars à \d\d:08\)$/);
  expect(spaced(periodWords(anIncident(over), now))).toMatch(/^Pendant 21 min, le 3 mars à \d\d:08$/);
});

it('says what was seen of one site, and how many of many still fail', () => {
  expect(spaced(describeObservation(anIncident()))).toBe('HTTP 502. Ne répond pas non plus chez lui.');
  expect(spaced(describeObservation(anIncident(over)))).toBe('HTTP 502. Ne répondait pas non plus chez lui.');
  expect(spaced(describeObservation(anIncident({ sites: 12, failing: 9 })))).toBe(
    'HTTP 502. 9 sites sur 12 encore en panne.',
  );
});

it('says who looks after it and whether it is muted, while it is open', () => {
  const taken = { acknowledged_at: '2026-03-03T12:14:00Z', acknowledged_by: 'Anne' };
  expect([takenBy(anIncident()), takenBy(anIncident(taken)), takenBy(anIncident({ ...taken, ...over }))]).toEqual([
    undefined,
    'Anne s’en occupe',
    undefined,
  ]);
  expect(mutedUntil(anIncident({ muted_until: '2026-03-03T13:20:00Z' }), now)).toMatch(/^Muet jusqu’à \d\d:20$/);
  expect(mutedUntil(anIncident({ muted_until: '2026-03-03T12:19:00Z' }), now)).toBeUndefined();
});

it('drops invalid values from the address', () => {
  expect(IncidentsSearch.parse({ state: 'open', page: -1, site: 12 })).toEqual({
    state: undefined,
    page: undefined,
    site: '12',
    server: undefined,
  });
});
