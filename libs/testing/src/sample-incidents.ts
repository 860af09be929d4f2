import type { Incident, IncidentItem } from '@vigie/contracts/incidents';

export const sampleIds = {
  incident: '0192f0c1-0000-7000-8000-000000000001',
  site: '0192f0c1-0000-7000-8000-000000000002',
} as const;

/** A site that answers 502, first seen at 03:08 UTC and open since 03:11. */
export const anIncident = (fields: Partial<IncidentItem> = {}): IncidentItem => ({
  id: sampleIds.incident,
  kind: 'outage',
  severity: 'critical',
  state: 'open',
  cause: { kind: 'site', id: sampleIds.site, name: 'boutique.fr' },
  is_server_down: false,
  sites: 1,
  failing: 1,
  evidence: { code: 502, reason: null, ends_at: null },
  verdict: null,
  observed_at: '2026-03-03T03:08:00Z',
  opened_at: '2026-03-03T03:11:00Z',
  resolved_at: null,
  resolution: null,
  acknowledged_at: null,
  acknowledged_by: null,
  muted_until: null,
  is_flapping: false,
  reopenings: 0,
  ...fields,
});

export const aWholeIncident = (fields: Partial<Incident> = {}): Incident => ({
  ...anIncident(),
  merged_into: null,
  subjects: [],
  events: [],
  can_act: true,
  ...fields,
});

export const aSubject = (name: string, fields: Partial<Incident['subjects'][number]> = {}) => ({
  kind: 'site' as const,
  id: sampleIds.site,
  name,
  since: '2026-03-03T03:08:00Z',
  until: null,
  evidence: { code: 502, reason: null, ends_at: null },
  opinion: null,
  ...fields,
});

export const anEvent = (fields: Partial<Incident['events'][number]> = {}): Incident['events'][number] => ({
  at: '2026-03-03T03:08:00Z',
  kind: 'observed',
  by: null,
  subject: null,
  text: null,
  evidence: null,
  opinion: null,
  count: null,
  until: null,
  job: null,
  ...fields,
});
