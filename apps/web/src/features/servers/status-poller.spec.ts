import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StatusPoller, type PollResult } from './status-poller';

const servers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `s${index}`, checkedAt: undefined }));
const [, s1] = servers(2);

describe('the status poller', () => {
  let polled: string[] = [];
  let answers: ((result: PollResult) => void)[] = [];
  const newPoller = () =>
    new StatusPoller((ids, isFresh) => {
      polled.push(isFresh ? `${ids.join(' ')} fresh` : ids.join(' '));
      return new Promise((resolve) => answers.push((result) => resolve(new Map(ids.map((id) => [id, result])))));
    });
  const answer = async (result: PollResult = 'done') => {
    const pending = answers;
    answers = [];
    for (const resolve of pending) resolve(result);
    await vi.advanceTimersByTimeAsync(0);
  };
  const pass = async (seconds: number) => {
    polled = [];
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
    return polled;
  };

  beforeEach(() => {
    vi.useFakeTimers();
    polled = [];
    answers = [];
  });
  afterEach(() => void vi.useRealTimers());

  it('polls all shown servers in one request, and again after a minute', async () => {
    newPoller().watch(servers(3));
    expect(polled).toEqual(['s0 s1 s2']);
    await answer();
    expect(await pass(59)).toEqual([]);
    expect(await pass(1)).toEqual(['s0 s1 s2']);
  });

  it('skips a recently checked server until its status is a minute old', async () => {
    newPoller().watch([
      { id: 'old', checkedAt: Date.now() - 61_000 },
      { id: 'new', checkedAt: Date.now() - 20_000 },
      { id: 'ahead', checkedAt: Date.now() + 3_600_000 },
    ]);
    expect(polled).toEqual(['old']);
    await answer();
    expect(await pass(40)).toEqual(['new']);
    await answer();
    expect(await pass(20)).toEqual(['old ahead']);
  });

  it('runs at most four requests at once', async () => {
    const poller = newPoller();
    for (let count = 1; count <= 6; count += 1) poller.watch(servers(count));
    expect(polled).toEqual(['s0', 's1', 's2', 's3']);
    await answer();
    expect(polled.slice(4)).toEqual(['s4 s5']);
  });

  it('polls again soon while a check is running, and backs off after failures', async () => {
    newPoller().watch(servers(1));
    await answer('refreshing');
    expect(await pass(3)).toEqual(['s0']);
    await answer('failed');
    expect(await pass(119)).toEqual([]);
    expect(await pass(1)).toEqual(['s0']);
    await answer('failed');
    expect(await pass(239)).toEqual([]);
    expect(await pass(1)).toEqual(['s0']);
    // Four intervals are the longest wait.
    await answer('failed');
    expect(await pass(240)).toEqual(['s0']);
    await answer();
    expect(await pass(60)).toEqual(['s0']);
  });

  it('stops while paused, then starts with the failed servers', async () => {
    const poller = newPoller();
    poller.watch(servers(1));
    poller.watch(servers(2));
    const [first, second] = answers;
    first?.('failed');
    second?.('done');
    answers = [];
    await vi.advanceTimersByTimeAsync(0);
    poller.pause(true);
    expect(await pass(50)).toEqual([]);
    poller.pause(false);
    expect(polled).toEqual(['s0']);
    expect(await pass(10)).toEqual(['s1']);
  });

  it('refreshes all servers on demand, also one whose request is running', async () => {
    const poller = newPoller();
    poller.watch(servers(1));
    poller.refresh();
    expect(polled).toEqual(['s0']);
    await answer();
    expect(polled).toEqual(['s0', 's0 fresh']);
    await answer();
    expect(await pass(60)).toEqual(['s0']);
  });

  it('forgets servers that are no longer shown', async () => {
    const poller = newPoller();
    poller.watch(servers(2));
    if (s1) poller.watch([s1]);
    await answer();
    expect(await pass(60)).toEqual(['s1']);
  });

  it('polls a server again that the answer left out', async () => {
    const poller = new StatusPoller((ids) => {
      polled.push(ids.join(' '));
      return Promise.resolve(new Map(ids.filter((id) => id !== 's0').map((id) => [id, 'done'])));
    });
    poller.watch(servers(2));
    await answer();
    expect(await pass(60)).toEqual(['s1']);
    expect(await pass(60)).toEqual(['s0 s1']);
  });
});
