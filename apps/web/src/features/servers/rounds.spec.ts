import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Rounds, type Seen } from './rounds';

const servers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `s${index}`, seenAt: undefined }));
const [, s1] = servers(2);

describe('the rounds', () => {
  let asked: string[] = [];
  let answers: ((seen: Seen) => void)[] = [];
  const rounds = () =>
    new Rounds((ids, isFresh) => {
      asked.push(isFresh ? `${ids.join(' ')} fresh` : ids.join(' '));
      return new Promise((resolve) => answers.push((seen) => resolve(new Map(ids.map((id) => [id, seen])))));
    });
  const answer = async (seen: Seen = 'done') => {
    const open = answers;
    answers = [];
    for (const resolve of open) resolve(seen);
    await vi.advanceTimersByTimeAsync(0);
  };
  const pass = async (seconds: number) => {
    asked = [];
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
    return asked;
  };

  beforeEach(() => {
    vi.useFakeTimers();
    asked = [];
    answers = [];
  });
  afterEach(() => void vi.useRealTimers());

  it('ask one question for all that are shown, and the same again after a minute', async () => {
    rounds().watch(servers(3));
    expect(asked).toEqual(['s0 s1 s2']);
    await answer();
    expect(await pass(59)).toEqual([]);
    expect(await pass(1)).toEqual(['s0 s1 s2']);
  });

  it('leave what was just seen until it is a round old', async () => {
    rounds().watch([
      { id: 'old', seenAt: Date.now() - 61_000 },
      { id: 'new', seenAt: Date.now() - 20_000 },
      { id: 'ahead', seenAt: Date.now() + 3_600_000 },
    ]);
    expect(asked).toEqual(['old']);
    await answer();
    expect(await pass(40)).toEqual(['new']);
    await answer();
    expect(await pass(20)).toEqual(['old ahead']);
  });

  it('have four questions at most under way', async () => {
    const shown = rounds();
    for (let count = 1; count <= 6; count += 1) shown.watch(servers(count));
    expect(asked).toEqual(['s0', 's1', 's2', 's3']);
    await answer();
    expect(asked.slice(4)).toEqual(['s4 s5']);
  });

  it('ask again soon while a look is under way, and later and later after failures', async () => {
    rounds().watch(servers(1));
    await answer('refreshing');
    expect(await pass(3)).toEqual(['s0']);
    await answer('failed');
    expect(await pass(119)).toEqual([]);
    expect(await pass(1)).toEqual(['s0']);
    await answer('failed');
    expect(await pass(239)).toEqual([]);
    expect(await pass(1)).toEqual(['s0']);
    await answer();
    expect(await pass(60)).toEqual(['s0']);
  });

  it('rest while they are paused, then begin with what had failed', async () => {
    const paused = rounds();
    paused.watch(servers(1));
    paused.watch(servers(2));
    const [first, second] = answers;
    first?.('failed');
    second?.('done');
    answers = [];
    await vi.advanceTimersByTimeAsync(0);
    paused.pause(true);
    expect(await pass(50)).toEqual([]);
    paused.pause(false);
    expect(asked).toEqual(['s0']);
    expect(await pass(10)).toEqual(['s1']);
  });

  it('take a new look when they are told to, also at one that is being asked', async () => {
    const refreshed = rounds();
    refreshed.watch(servers(1));
    refreshed.refresh();
    expect(asked).toEqual(['s0']);
    await answer();
    expect(asked).toEqual(['s0', 's0 fresh']);
    await answer();
    expect(await pass(60)).toEqual(['s0']);
  });

  it('forget who is no longer shown', async () => {
    const watched = rounds();
    watched.watch(servers(2));
    if (s1) watched.watch([s1]);
    await answer();
    expect(await pass(60)).toEqual(['s1']);
  });

  it('ask again of what an answer did not tell', async () => {
    const told = new Rounds((ids) => {
      asked.push(ids.join(' '));
      return Promise.resolve(new Map(ids.filter((id) => id !== 's0').map((id) => [id, 'done'])));
    });
    told.watch(servers(2));
    await answer();
    expect(await pass(60)).toEqual(['s1']);
    expect(await pass(60)).toEqual(['s0 s1']);
  });
});
