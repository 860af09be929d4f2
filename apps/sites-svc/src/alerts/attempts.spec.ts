import { expect, it } from 'vitest';
import { outcomeOf } from './attempts';

const answer = { outcome: 'retry' as const, status: 500, answer: null, error: 'Non.', retry_after: null };

it('tries again after longer and longer pauses, then gives up', () => {
  const pauses = [1, 2, 3, 4, 5, 6].map((attempts) => outcomeOf(answer, 'opened', attempts));
  expect(pauses).toEqual([
    { state: 'queued', seconds: 10 },
    { state: 'queued', seconds: 60 },
    { state: 'queued', seconds: 300 },
    { state: 'queued', seconds: 900 },
    { state: 'queued', seconds: 3_600 },
    { state: 'failed' },
  ]);
});

it('waits as long as the other side asks', () => {
  expect(outcomeOf({ ...answer, retry_after: 90 }, 'opened', 1)).toEqual({ state: 'queued', seconds: 90 });
  expect(outcomeOf({ ...answer, retry_after: 2 }, 'opened', 1)).toEqual({ state: 'queued', seconds: 10 });
});

it('never tries a refused message or a test again', () => {
  expect(outcomeOf({ ...answer, outcome: 'refused' }, 'opened', 1)).toEqual({ state: 'failed' });
  expect(outcomeOf(answer, 'test', 1)).toEqual({ state: 'failed' });
  expect(outcomeOf({ ...answer, outcome: 'sent' }, 'test', 1)).toEqual({ state: 'sent' });
});
