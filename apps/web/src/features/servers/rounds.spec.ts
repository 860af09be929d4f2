import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Rounds, type Seen } from './rounds';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);

describe('the rounds', () => {
  let asked: string[] = [];
  let answers: ((seen: Seen) => void)[] = [];
  const rounds = () =>
    new Rounds((id, isFresh) => {
      asked.push(isFresh ? `${id} fresh` : id);
      return new Promise((resolve) => answers.push(resolve));
    });
  const answer = async (seen: Seen = 'done') => {
    const open = answers;
    answers = [];
    for (const resolve of open) resolve(seen);
    await jest.advanceTimersByTimeAsync(0);
  };
  const pass = async (seconds: number) => {
    asked = [];
    await jest.advanceTimersByTimeAsync(seconds * 1_000);
    return asked;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    asked = [];
    answers = [];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('ask four at once, the others as answers come, and all again after a minute', async () => {
    rounds().watch(ids(6));
    expect(asked).toEqual(['s0', 's1', 's2', 's3']);
    await answer();
    expect(asked.slice(4)).toEqual(['s4', 's5']);
    await answer();
    expect(await pass(59)).toEqual([]);
    expect(await pass(1)).toEqual(['s0', 's1', 's2', 's3']);
  });

  it('ask again soon while a look is under way, and later and later after failures', async () => {
    rounds().watch(['s0']);
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
    paused.watch(ids(2));
    const [first, second] = answers;
    first?.('failed');
    second?.('done');
    answers = [];
    await jest.advanceTimersByTimeAsync(0);
    paused.pause(true);
    expect(await pass(50)).toEqual([]);
    paused.pause(false);
    expect(asked).toEqual(['s0']);
    expect(await pass(10)).toEqual(['s1']);
  });

  it('take a new look when they are told to, also at one that is being asked', async () => {
    const refreshed = rounds();
    refreshed.watch(['s0']);
    refreshed.refresh();
    expect(asked).toEqual(['s0']);
    await answer();
    expect(asked).toEqual(['s0', 's0 fresh']);
    await answer();
    expect(await pass(60)).toEqual(['s0']);
  });

  it('forget who is no longer shown', async () => {
    const watched = rounds();
    watched.watch(ids(2));
    watched.watch(['s1']);
    await answer();
    expect(await pass(60)).toEqual(['s1']);
  });

  it('count those that were shown before until they are answered', async () => {
    const turned = rounds();
    turned.watch(ids(4));
    turned.watch(['other']);
    expect(asked).not.toContain('other');
    await answer();
    expect(asked).toContain('other');
  });
});
