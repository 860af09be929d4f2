import type { Evidence, SubjectKind } from '@vigie/contracts/incidents';
import { lockName } from '@vigie/service-kit/locks';
import type { EntityManager } from 'typeorm';
import { toJsonb } from '../to-jsonb';
import { byKind, type ConditionKind } from './kinds';

/** The subject of conditions of the installation itself. */
export const vigieId = '00000000-0000-0000-0000-000000000000';

/**
 * Incidents are opened, joined and ended by one transaction at a time, which takes this lock before any condition: who only
 * counts checks holds conditions without it.
 */
export const lockIncidents = (manager: EntityManager): Promise<void> => lockName(manager, 'incidents', 'all');

/** Subjects of one kind are checked at about this interval, in seconds, unless a failure says another one of its own. */
export type Checks = { kind: ConditionKind; subjectKind: SubjectKind; seconds: number };
/** What a cut network says about others ends the count of failures. */
type CountOptions = { isBlind?: boolean };
export type Failure = { id: string; evidence: Evidence; seconds?: number };

/** In seconds: what was found longer ago, where checks are made at this interval, says nothing about now. */
export const minRecentSeconds = 180;
const recentIntervals = 3;

/** SQL condition: this time is recent where checks are made at this interval, in seconds. */
export const isRecent = (time: string, seconds: string) =>
  `${time} > now() - make_interval(secs => greatest(${minRecentSeconds}, ${recentIntervals} * (${seconds})::float8))`;

/** SQL for the open subject of an incident that a condition belongs to. */
export const openSubject = (condition: string) => `
  select from incident_subjects o join incidents i on i.id = o.incident_id
  where o.until is null and o.subject_id = ${condition}.subject_id and i.kind = ${condition}.kind`;

/** SQL condition: the failures suffice for an incident. */
export const isDue = (condition: string) =>
  `${condition}.failures >= ${byKind(`${condition}.kind`, ({ failures }) => failures)}`;

/** SQL condition: the good checks suffice to end the part of the subject in its incident. */
export const hasRecovered = (condition: string, incident: string) =>
  `${condition}.successes >= case when ${incident}.is_flapping
     then ${byKind(`${condition}.kind`, ({ flappingSuccesses }) => flappingSuccesses)}
     else ${byKind(`${condition}.kind`, ({ successes }) => successes)} end`;

/**
 * Counts failed checks, at most one in half a minute, because a check may be repeated. Touches conditions alone, in the
 * order of their subjects. Returns whether any incident has to be opened.
 */
export async function countFailures(
  manager: EntityManager,
  { kind, subjectKind, seconds }: Checks,
  failures: readonly Failure[],
  { isBlind = false }: CountOptions = {},
): Promise<boolean> {
  if (failures.length === 0) return false;
  const isStale = `(c.failures = 0 or not ${isRecent('c.checked_at', 'c.seconds')})`;
  const due: unknown[] = await manager.query(
    `with counted as (
       insert into conditions as c (subject_kind, subject_id, kind, failures, successes, since, checked_at, evidence, seconds)
       select $2, f.id, $3, case when $5 then 0 else 1 end, 0, now(), now(), f.evidence, coalesce(f.seconds, $4::float8)
       from jsonb_to_recordset($1::jsonb) as f(id uuid, evidence jsonb, seconds float8) order by f.id
       on conflict (subject_id, kind) do update set
         failures = case when $5 then 0 when ${isStale} then 1 else c.failures + 1 end,
         since = case when ${isStale} then now() else c.since end,
         opinion = case when ${isStale} then null else c.opinion end,
         opinion_at = case when ${isStale} then null else c.opinion_at end,
         successes = 0, checked_at = now(), evidence = excluded.evidence, seconds = excluded.seconds
       where c.successes > 0 or c.checked_at < now() - make_interval(secs => least($4::float8, 60) / 2.0)
       returning *)
     select from counted where ${isDue('counted')} and not exists (${openSubject('counted')}) limit 1`,
    [toJsonb(failures), subjectKind, kind, seconds, isBlind],
  );
  return due.length > 0;
}

/** Counts good checks, and forgets failures that led to no incident. Returns whether any incident may end. */
export async function countSuccesses(
  manager: EntityManager,
  { kind, subjectKind, seconds }: Checks,
  ids: readonly string[],
): Promise<boolean> {
  if (ids.length === 0) return false;
  await manager.query(
    `delete from conditions where (subject_id, kind) in (
       select c.subject_id, c.kind from conditions c
       where c.subject_id = any($1::uuid[]) and c.kind = $2 and not exists (${openSubject('c')})
       order by c.subject_id for update)`,
    [ids, kind],
  );
  const recovered: unknown[] = await manager.query(
    `with counted as (
       insert into conditions as c (subject_kind, subject_id, kind, failures, successes, since, checked_at, evidence)
       select $3, o.subject_id, $2, 0, 1, o.since, now(), o.evidence
       from incident_subjects o join incidents i on i.id = o.incident_id
       where o.subject_id = any($1::uuid[]) and o.until is null and i.kind = $2 order by o.subject_id
       on conflict (subject_id, kind) do update set successes = c.successes + 1, failures = 0, checked_at = now()
       where c.failures > 0 or c.checked_at < now() - make_interval(secs => least($4::float8, 60) / 2.0)
       returning *)
     select from counted c join incident_subjects o on o.subject_id = c.subject_id and o.until is null
       join incidents i on i.id = o.incident_id and i.kind = c.kind
     where ${hasRecovered('c', 'i')} limit 1`,
    [ids, kind, subjectKind, seconds],
  );
  return recovered.length > 0;
}
