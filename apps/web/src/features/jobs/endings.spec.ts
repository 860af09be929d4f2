import { expect, it } from 'vitest';
import type { JobState } from '@vigie/contracts/jobs';
import { Endings } from './endings';

const job = (id: string, state: JobState) => ({ id, state });
const ids = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id);

it('ignores jobs that ended before the first list', () => {
  const endings = new Endings([]);
  expect(endings.seeAll([job('2', 'failed'), job('1', 'succeeded')])).toEqual([]);
  expect(endings.seeAll([job('2', 'failed'), job('1', 'succeeded')])).toEqual([]);
});

it('reports the end of an open job once, whichever query reads it first', () => {
  const endings = new Endings([]);
  endings.seeAll([job('2', 'running'), job('1', 'queued')]);
  expect(ids(endings.see([job('2', 'failed')]))).toEqual(['2']);
  expect(ids(endings.seeAll([job('2', 'failed'), job('1', 'cancelled')]))).toEqual(['1']);
  expect(endings.seeAll([job('2', 'failed'), job('1', 'cancelled')])).toEqual([]);
});

it('reports a job that began and ended between two lists', () => {
  const endings = new Endings([]);
  endings.seeAll([job('1', 'succeeded')]);
  expect(ids(endings.seeAll([job('2', 'failed'), job('1', 'succeeded')]))).toEqual(['2']);
});

it('ignores an old job that a longer list brings in', () => {
  const endings = new Endings([]);
  endings.seeAll([job('5', 'succeeded')]);
  expect(endings.seeAll([job('5', 'succeeded'), job('4', 'failed')])).toEqual([]);
});

it('reports a job that was started before a reload', () => {
  const endings = new Endings(['1']);
  expect(ids(endings.seeAll([job('1', 'succeeded')]))).toEqual(['1']);
});

it('reports the very first job', () => {
  const endings = new Endings([]);
  endings.seeAll<ReturnType<typeof job>>([]);
  expect(ids(endings.seeAll([job('1', 'succeeded')]))).toEqual(['1']);
});
