import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { currentContext, runInContext } from '@vigie/service-kit/context';
import { GatheredCalls } from './gathered-calls';

type Item = { id: string };

/** Records the calls, and which item each of them has. */
function record(callTogether: (ids: string[]) => Promise<string[]> = async (ids) => ids) {
  const together: string[][] = [];
  const alone: string[] = [];
  const calls = new GatheredCalls(async (items: Item[]) => {
    const ids = items.map(({ id }) => id);
    together.push(ids);
    return new Map((await callTogether(ids)).map((id) => [id, `${id} together`]));
  });
  const call = (id: string, callAlone = async () => `${id} alone`) =>
    calls.call({ id }, () => {
      alone.push(id);
      return callAlone();
    });
  return { together, alone, call };
}

const never = () => new Promise<never>(() => undefined);

it('calls an item alone that comes alone', async () => {
  const { together, call } = record();
  expect(await call('a')).toBe('a alone');
  expect(await call('b')).toBe('b alone');
  expect(together).toEqual([]);
});

it('makes one call of the items that come together', async () => {
  const { together, alone, call } = record();
  expect(await Promise.all(['a', 'b', 'c'].map((id) => call(id)))).toEqual(['a together', 'b together', 'c together']);
  expect([together, alone]).toEqual([[['a', 'b', 'c']], []]);
});

it('calls alone what the call of many left out', async () => {
  const { call } = record(async () => ['b']);
  expect(await Promise.all(['a', 'b'].map((id) => call(id)))).toEqual(['a alone', 'b together']);
});

it('calls everything alone when the call of many fails', async () => {
  const { call } = record(() => Promise.reject(new Error('away')));
  expect(await Promise.all(['a', 'b'].map((id) => call(id)))).toEqual(['a alone', 'b alone']);
});

it('gives the answer for an item that came twice to one of them', async () => {
  const { call } = record();
  expect(await Promise.all(['a', 'a'].map((id) => call(id)))).toEqual(['a together', 'a alone']);
});

it('gathers items while a call is under way, until it has ended', async () => {
  const { together, call } = record();
  let endFirst = () => undefined as void;
  const first = call('a', () => new Promise((resolve) => (endFirst = () => resolve('a alone'))));
  await nextTurn();
  const second = call('b');
  await nextTurn();
  const third = call('c');
  endFirst();
  await Promise.all([first, second, third]);
  expect(together).toEqual([['b', 'c']]);
});

it('does not let an item wait for the end of a slow call', async () => {
  const { call } = record(never);
  void call('a');
  void call('b');
  await nextTurn();
  expect(await call('c')).toBe('c alone');
});

it('calls many in no item’s context, and each alone in its own', async () => {
  const contexts: unknown[] = [];
  const calls = new GatheredCalls(async () => {
    contexts.push(currentContext()?.requestId);
    return new Map<string, string>();
  });
  const callIn = (id: string) =>
    runInContext({ requestId: id }, () => calls.call({ id }, async () => currentContext()?.requestId ?? 'none'));
  expect(await Promise.all(['a', 'b'].map(callIn))).toEqual(['a', 'b']);
  expect(contexts).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
});
