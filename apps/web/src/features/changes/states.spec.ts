import { expect, it } from 'vitest';
import type { JobItem } from '@vigie/contracts/jobs';
import { recordEnds, itemStates } from './states';

const now = Date.parse('2026-11-22T10:00:00.000Z');
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

const aJob = (id: string, slug: string, more: Partial<JobItem> = {}): JobItem => ({
  id,
  kind: 'changes.update',
  about: null,
  item: { kind: 'plugin', slug },
  site_id: null,
  site_name: null,
  server_id: null,
  server_name: null,
  state: 'failed',
  progress: null,
  error: { message: 'Page blanche.', code: 'rolled_back' },
  created_at: minutesAgo(9),
  started_at: minutesAgo(8),
  finished_at: minutesAgo(7),
  attempts: 1,
  actor_name: null,
  batch_id: null,
  retry_of: null,
  redone_by: null,
  acknowledged: null,
  targets: null,
  may_act: true,
  is_cancelling: false,
  counts: null,
  ...more,
});

const context = { readAt: now, now, dismissed: new Set<string>() };
const stateOf = (jobs: readonly JobItem[], more: Partial<typeof context> = {}) =>
  itemStates(jobs, { ...context, ...more }).get('plugin vitrine');

it('shows only the newest change of an item', () => {
  const failed = aJob('2', 'vitrine');
  expect(stateOf([failed, aJob('1', 'vitrine', { state: 'succeeded' })])).toEqual({ failed });
  expect(stateOf([aJob('3', 'vitrine', { state: 'succeeded' }), failed])).toEqual({});
  expect(stateOf([aJob('3', 'relais')])).toBeUndefined();
});

it('prefers an open job to a failed one, and the running job to a queued one', () => {
  const running = aJob('1', 'vitrine', { state: 'running', finished_at: null });
  expect(stateOf([aJob('2', 'vitrine', { state: 'queued', finished_at: null }), running])).toEqual({ open: running });
});

it('hides a failure after a day, or once it is dismissed', () => {
  const failed = aJob('1', 'vitrine');
  expect(stateOf([failed], { dismissed: new Set(['1']) })).toEqual({});
  expect(stateOf([aJob('1', 'vitrine', { finished_at: minutesAgo(25 * 60) })])).toEqual({});
});

it('keeps an item busy until the site is read again after the job', () => {
  const ended = aJob('seen-ending', 'vitrine', { state: 'succeeded' });
  recordEnds([ended]);
  expect(stateOf([ended], { readAt: Date.now() - 60_000 })).toEqual({ open: ended });
  expect(stateOf([ended], { readAt: Date.now() + 60_000 })).toEqual({});
});

it('ignores jobs without an item', () => {
  expect(itemStates([aJob('1', 'vitrine', { item: null })], context).size).toBe(0);
});
