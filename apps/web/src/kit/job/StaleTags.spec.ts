import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StaleTags } from './StaleTags';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const backup = (siteId: string | null, batch: string | null) =>
  ({ kind: 'backups.create', site_id: siteId, batch_id: batch }) as const;

function setUp() {
  const invalidated: unknown[] = [];
  const stale = new StaleTags((tags) => invalidated.push(...tags));
  return { stale, next: () => invalidated.splice(0) };
}

it('invalidates at once after a single job, and only its site where data are read by site', () => {
  const { stale, next } = setUp();
  stale.add([backup('a', null)]);
  stale.add([backup('b', null)]);
  expect(next()).toEqual(['sites', { type: 'backups', id: 'a' }, 'sites', { type: 'backups', id: 'b' }]);
});

it('invalidates shared tags of a batch every ten seconds, including after its last job', () => {
  const { stale, next } = setUp();
  const backupsTag = (id: string) => ({ type: 'backups', id });
  stale.add([backup('a', 'batch')]);
  expect(next()).toEqual([backupsTag('a'), 'sites']);
  for (const siteId of ['b', 'c', 'd']) {
    vi.advanceTimersByTime(2_000);
    stale.add([backup(siteId, 'batch')]);
  }
  expect(next()).toEqual([backupsTag('b'), backupsTag('c'), backupsTag('d')]);
  vi.advanceTimersByTime(4_000);
  expect(next()).toEqual(['sites']);
  vi.advanceTimersByTime(60_000);
  expect(next()).toEqual([]);
  stale.add([backup(null, null)]);
  expect(next()).toEqual(['sites', 'backups']);
});
