import type { Incident } from '@vigie/contracts/incidents';

/** An incident as if it had touched these sites alone; undefined if it touched none of them. */
export function onlySites(incident: Incident, ids: ReadonlySet<string>): Incident | undefined {
  const subjects = incident.subjects.filter(({ id }) => id !== null && ids.has(id));
  const names = new Set(subjects.map(({ name }) => name));
  const [first] = subjects;
  if (!first) return undefined;
  return {
    ...incident,
    subjects,
    sites: subjects.length,
    failing: subjects.filter(({ until }) => until === null).length,
    evidence: first.evidence,
    events: incident.events.filter(({ subject }) => subject === null || names.has(subject)),
  };
}
