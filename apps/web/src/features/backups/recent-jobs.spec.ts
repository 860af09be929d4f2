import { expect, it } from 'vitest';
import type { JobItem } from '@vigie/contracts/jobs';
import { recentFailures, recentRestore } from './recent-jobs';

const at = '2026-03-01T12:00:00.000Z';
const now = Date.parse(at) + 60_000;
const aJob = (id: string, kind: string, more: Partial<JobItem> = {}) =>
  ({ id, kind, about: 'a.wpress', state: 'failed', finished_at: at, ...more }) as JobItem;
const failureIds = (jobs: JobItem[], filter: Partial<Parameters<typeof recentFailures>[1]> = {}) =>
  recentFailures(jobs, { now, dismissed: new Set(), ...filter }).map(({ id }) => id);

it('shows a failure until the same job is run again', () => {
  expect(failureIds([aJob('1', 'backups.verify'), aJob('2', 'backups.import', { state: 'unknown' })])).toEqual([
    '1',
    '2',
  ]);
  expect(failureIds([aJob('3', 'backups.verify', { state: 'running' }), aJob('1', 'backups.verify')])).toEqual([]);
  expect(
    failureIds([aJob('3', 'backups.verify', { about: 'b.wpress', state: 'succeeded' }), aJob('1', 'backups.verify')]),
  ).toEqual(['1']);
  expect(
    failureIds([aJob('2', 'backups.restore', { state: 'succeeded', about: 'b.wpress' }), aJob('1', 'backups.restore')]),
  ).toEqual([]);
  expect(
    failureIds([aJob('2', 'backups.create', { state: 'succeeded', about: 'c.wpress' }), aJob('1', 'backups.create')]),
  ).toEqual([]);
});

it('hides a failure that was dismissed or is a day old', () => {
  expect(failureIds([aJob('1', 'backups.verify')], { dismissed: new Set(['1']) })).toEqual([]);
  expect(failureIds([aJob('1', 'backups.verify')], { now: now + 25 * 3_600_000 })).toEqual([]);
});

it('shows the newest restore that changed the site', () => {
  const restoreId = (jobs: JobItem[], filter: Partial<Parameters<typeof recentRestore>[1]> = {}) =>
    recentRestore(jobs, { now, dismissed: new Set(), ...filter })?.id;
  const done = aJob('1', 'backups.restore', { state: 'succeeded' });
  expect(restoreId([aJob('3', 'backups.create', { state: 'succeeded' }), done])).toBe('1');
  expect(restoreId([aJob('2', 'backups.restore', { state: 'running', finished_at: null }), done])).toBe('1');
  expect(restoreId([aJob('2', 'backups.restore'), done])).toBeUndefined();
  const incomplete = aJob('2', 'backups.restore', { error: { message: '', code: 'incomplete' } });
  expect([restoreId([incomplete, done]), failureIds([incomplete, done])]).toEqual(['2', []]);
  expect(restoreId([done], { dismissed: new Set(['1']) })).toBeUndefined();
  expect(restoreId([done], { now: now + 25 * 3_600_000 })).toBeUndefined();
});
