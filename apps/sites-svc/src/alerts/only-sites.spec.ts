import { anEvent, aWholeIncident, aSubject } from '@vigie/testing/sample-incidents';
import { expect, it } from 'vitest';
import { onlySites } from './only-sites';

const subject = (id: string, until: string | null = null) =>
  aSubject(`${id}.fr`, { id, until, evidence: { code: 502, reason: id, ends_at: null } });
const incident = aWholeIncident({
  sites: 3,
  failing: 2,
  evidence: null,
  subjects: [subject('a'), subject('b', '2026-03-03T03:08:00Z'), subject('c')],
  events: [
    anEvent({ kind: 'opened' }),
    anEvent({ kind: 'task', subject: 'a.fr' }),
    anEvent({ kind: 'task', subject: 'b.fr' }),
  ],
});

it('knows of the given sites alone', () => {
  expect(onlySites(incident, new Set(['b', 'c']))).toMatchObject({
    sites: 2,
    failing: 1,
    evidence: { reason: 'b' },
    subjects: [{ id: 'b' }, { id: 'c' }],
    events: [{ kind: 'opened' }, { subject: 'b.fr' }],
  });
});

it('knows of nothing without any of them', () => {
  expect(onlySites(incident, new Set(['z']))).toBeUndefined();
});
