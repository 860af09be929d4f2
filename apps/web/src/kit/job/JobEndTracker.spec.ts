import { expect, it } from 'vitest';
import type { JobState } from '@vigie/contracts/jobs';
import { JobEndTracker } from './JobEndTracker';

const job = (id: string, state: JobState) => ({ id, state });
const ids = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id);

it('ignores jobs that ended before the first list', () => {
  const tracker = new JobEndTracker([]);
  expect(tracker.updateNewest([job('2', 'failed'), job('1', 'succeeded')])).toEqual([]);
  expect(tracker.updateNewest([job('2', 'failed'), job('1', 'succeeded')])).toEqual([]);
});

it('reports the end of an open job once, whichever query reads it first', () => {
  const tracker = new JobEndTracker([]);
  tracker.updateNewest([job('2', 'running'), job('1', 'queued')]);
  expect(ids(tracker.update([job('2', 'failed')]))).toEqual(['2']);
  expect(ids(tracker.updateNewest([job('2', 'failed'), job('1', 'cancelled')]))).toEqual(['1']);
  expect(tracker.updateNewest([job('2', 'failed'), job('1', 'cancelled')])).toEqual([]);
});

it('reports a job that began and ended between two lists', () => {
  const tracker = new JobEndTracker([]);
  tracker.updateNewest([job('1', 'succeeded')]);
  expect(ids(tracker.updateNewest([job('2', 'failed'), job('1', 'succeeded')]))).toEqual(['2']);
});

it('ignores an old job that a longer list brings in', () => {
  const tracker = new JobEndTracker([]);
  tracker.updateNewest([job('5', 'succeeded')]);
  expect(tracker.updateNewest([job('5', 'succeeded'), job('4', 'failed')])).toEqual([]);
});

it('reports a job that was started before a reload', () => {
  const tracker = new JobEndTracker(['1']);
  expect(ids(tracker.updateNewest([job('1', 'succeeded')]))).toEqual(['1']);
});

it('reports the very first job', () => {
  const tracker = new JobEndTracker([]);
  tracker.updateNewest<ReturnType<typeof job>>([]);
  expect(ids(tracker.updateNewest([job('1', 'succeeded')]))).toEqual(['1']);
});
