import { expect, it } from '@jest/globals';
import type { JobItem } from '@vigie/contracts/jobs';
import { newsOf } from './news';

const at = '2026-03-01T12:00:00.000Z';
const now = Date.parse(at) + 60_000;
const aJob = (id: string, kind: string, more: Partial<JobItem> = {}) =>
  ({ id, kind, about: 'a.wpress', state: 'failed', finished_at: at, ...more }) as JobItem;
const told = (jobs: JobItem[], seen: Partial<Parameters<typeof newsOf>[1]> = {}) =>
  newsOf(jobs, { now, dismissed: new Set(), ...seen }).map(({ id }) => id);

it('tells a failure until the same was done again', () => {
  expect(told([aJob('1', 'backups.verify'), aJob('2', 'backups.import', { state: 'unknown' })])).toEqual(['1', '2']);
  expect(told([aJob('3', 'backups.verify', { state: 'running' }), aJob('1', 'backups.verify')])).toEqual([]);
  expect(
    told([aJob('3', 'backups.verify', { about: 'b.wpress', state: 'succeeded' }), aJob('1', 'backups.verify')]),
  ).toEqual(['1']);
  expect(
    told([aJob('2', 'backups.create', { state: 'succeeded', about: 'c.wpress' }), aJob('1', 'backups.create')]),
  ).toEqual([]);
});

it('tells none that was read, nor one of another day', () => {
  expect(told([aJob('1', 'backups.verify')], { dismissed: new Set(['1']) })).toEqual([]);
  expect(told([aJob('1', 'backups.verify')], { now: now + 25 * 3_600_000 })).toEqual([]);
});
