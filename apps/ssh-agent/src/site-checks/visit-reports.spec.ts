import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { VisitReports, type VisitResult } from './visit-reports';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Reports whose calls end when the test says so. */
function makeReports() {
  const sent: number[] = [];
  const failures: unknown[] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const reports = new VisitReports({
    send: ({ length }) => {
      sent.push(length);
      return new Promise((resolve, reject) => ends.push({ resolve, reject }));
    },
    onFailure: (error, { length }) => failures.push([error, length]),
  });
  const reported: number[] = [];
  const add = (count: number) => {
    for (let index = 0; index < count; index += 1) {
      void reports.add({ id: `${index}` } as VisitResult).then(() => reported.push(index));
    }
  };
  return { sent, failures, ends, reported, add };
}

it('sends results half a second after the first of them, whichever batch they are of', async () => {
  const { sent, add } = makeReports();
  add(2);
  await vi.advanceTimersByTimeAsync(400);
  add(1);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual([3]);
  add(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(sent).toEqual([3, 1]);
});

it('sends fifty results at once, and the rest after half a second, even while a report is under way', async () => {
  const { sent, add } = makeReports();
  add(120);
  expect(sent).toEqual([50, 50]);
  await vi.advanceTimersByTimeAsync(500);
  expect(sent).toEqual([50, 50, 20]);
});

it('lets the batch of a result wait until it was reported', async () => {
  const { ends, reported, add } = makeReports();
  add(2);
  await vi.advanceTimersByTimeAsync(500);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reported).toEqual([]);
  ends[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(reported).toEqual([0, 1]);
});

it('tells a report that fails, and goes on', async () => {
  const { sent, failures, ends, reported, add } = makeReports();
  add(2);
  await vi.advanceTimersByTimeAsync(500);
  const error = new Error('no answer');
  ends[0]?.reject(error);
  await vi.advanceTimersByTimeAsync(0);
  expect([failures, reported]).toEqual([[[error, 2]], [0, 1]]);
  add(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(sent).toEqual([2, 1]);
});
