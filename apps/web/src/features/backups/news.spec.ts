import { expect, it } from 'vitest';
import type { JobItem } from '@vigie/contracts/jobs';
import { newsOf, restoredOf } from './news';

const at = '2026-03-01T12:00:00.000Z';
const now = Date.parse(at) + 60_000;
const aJob = (id: string, kind: string, more: Partial<JobItem> = {}) =>
  ({ id, kind, about: 'a.wpress', state: 'failed', finished_at: at, ...more }) as JobItem;
const told = (jobs: JobItem[], seen: Partial<Parameters<typeof newsOf>[1]> = {}) =>
  newsOf(jobs, { now, dismissed: new Set(), ...seen }).map(({ id }) => id);

it('shows a failure until the same job is run again', () => {
  expect(told([aJob('1', 'backups.verify'), aJob('2', 'backups.import', { state: 'unknown' })])).toEqual(['1', '2']);
  expect(told([aJob('3', 'backups.verify', { state: 'running' }), aJob('1', 'backups.verify')])).toEqual([]);
  expect(
    told([aJob('3', 'backups.verify', { about: 'b.wpress', state: 'succeeded' }), aJob('1', 'backups.verify')]),
  ).toEqual(['1']);
  expect(
    told([aJob('2', 'backups.restore', { state: 'succeeded', about: 'b.wpress' }), aJob('1', 'backups.restore')]),
  ).toEqual([]);
  expect(
    told([aJob('2', 'backups.create', { state: 'succeeded', about: 'c.wpress' }), aJob('1', 'backups.create')]),
  ).toEqual([]);
});

it('hides a failure that was dismissed or is a day old', () => {
  expect(told([aJob('1', 'backups.verify')], { dismissed: new Set(['1']) })).toEqual([]);
  expect(told([aJob('1', 'backups.verify')], { now: now + 25 * 3_600_000 })).toEqual([]);
});

it('shows the newest restore that changed the site', () => {
  const restored = (jobs: JobItem[], known: Partial<Parameters<typeof restoredOf>[1]> = {}) =>
    restoredOf(jobs, { now, dismissed: new Set(), ...known })?.id;
  const done = aJob('1', 'backups.restore', { state: 'succeeded' });
  expect(restored([aJob('3', 'backups.create', { state: 'succeeded' }), done])).toBe('1');
  expect(restored([aJob('2', 'backups.restore', { state: 'running', finished_at: null }), done])).toBe('1');
  expect(restored([aJob('2', 'backups.restore'), done])).toBeUndefined();
  const incomplete = aJob('2', 'backups.restore', { error: { message: '', code: 'incomplete' } });
  expect([restored([incomplete, done]), told([incomplete, done])]).toEqual(['2', []]);
  expect(restored([done], { dismissed: new Set(['1']) })).toBeUndefined();
  expect(restored([done], { now: now + 25 * 3_600_000 })).toBeUndefined();
});
