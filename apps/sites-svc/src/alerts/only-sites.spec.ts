import type { Incident } from '@vigie/contracts/incidents';
import { expect, it } from 'vitest';
import { onlySites } from './only-sites';

const at = '2026-03-03T03:08:00Z';
const subject = (id: string, until: string | null = null): Incident['subjects'][number] => ({
  kind: 'site',
  id,
  name: `${id}.fr`,
  since: at,
  until,
  evidence: { code: 502, reason: id, ends_at: null },
  opinion: null,
});
const event = (kind: 'task' | 'opened', name: string | null) => ({
  at,
  kind,
  by: null,
  subject: name,
  text: null,
  evidence: null,
  opinion: null,
  count: null,
  until: null,
  job: null,
});
const incident = {
  sites: 3,
  failing: 2,
  evidence: null,
  subjects: [subject('a'), subject('b', at), subject('c')],
  events: [event('opened', null), event('task', 'a.fr'), event('task', 'b.fr')],
} as unknown as Incident;

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
