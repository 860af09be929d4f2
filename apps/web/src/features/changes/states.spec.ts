import { expect, it } from 'vitest';
import type { JobItem } from '@vigie/contracts/jobs';
import { noteEnds } from './ends';
import { statesOf } from './states';

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
  is_cancelling: false,
  counts: null,
  ...more,
});

const seen = { readAt: now, now, dismissed: new Set<string>() };
const stateOf = (jobs: readonly JobItem[], more: Partial<typeof seen> = {}) =>
  statesOf(jobs, { ...seen, ...more }).get('plugin vitrine');

it('tells of an item what came of the newest change only', () => {
  const failed = aJob('2', 'vitrine');
  expect(stateOf([failed, aJob('1', 'vitrine', { state: 'succeeded' })])).toEqual({ failed });
  expect(stateOf([aJob('3', 'vitrine', { state: 'succeeded' }), failed])).toEqual({});
  expect(stateOf([aJob('3', 'relais')])).toBeUndefined();
});

it('shows what is under way rather than what failed, and of two the one that runs', () => {
  const running = aJob('1', 'vitrine', { state: 'running', finished_at: null });
  expect(stateOf([aJob('2', 'vitrine', { state: 'queued', finished_at: null }), running])).toEqual({ open: running });
});

it('forgets a failure after a day, or once somebody has read it', () => {
  const failed = aJob('1', 'vitrine');
  expect(stateOf([failed], { dismissed: new Set(['1']) })).toEqual({});
  expect(stateOf([aJob('1', 'vitrine', { finished_at: minutesAgo(25 * 60) })])).toEqual({});
});

it('is under way until the site was read after its end', () => {
  const ended = aJob('seen-ending', 'vitrine', { state: 'succeeded' });
  noteEnds([ended]);
  expect(stateOf([ended], { readAt: Date.now() - 60_000 })).toEqual({ open: ended });
  expect(stateOf([ended], { readAt: Date.now() + 60_000 })).toEqual({});
});

it('knows nothing of batches and looks', () => {
  expect(statesOf([aJob('1', 'vitrine', { item: null })], seen).size).toBe(0);
});
