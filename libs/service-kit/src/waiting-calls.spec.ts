import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { presenceCheckMs, WaitingCalls } from './waiting-calls';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type FindLoss = ConstructorParameters<typeof WaitingCalls>[0];

const never = () => new Promise<string>(() => undefined);

it('fails the late calls of an owner that is gone, and asks once for all of them', async () => {
  const lost = new Error('no replica is left');
  const findLoss = vi.fn<FindLoss>(async (owner) => (owner === 'auth-svc' ? lost : undefined));
  const calls = new WaitingCalls(findLoss);
  const outcomes = [calls.wait('auth-svc', never()), calls.wait('auth-svc', never())].map((call) => call.catch(String));
  const other = vi.fn<() => void>();
  calls.wait('sites-svc', never()).then(other, other);
  await vi.advanceTimersByTimeAsync(presenceCheckMs);
  expect(await Promise.all(outcomes)).toEqual([String(lost), String(lost)]);
  expect(findLoss.mock.calls).toEqual([['auth-svc'], ['sites-svc']]);
  expect(other).not.toHaveBeenCalled();
});

it('leaves a call alone that is younger than the time after which it checks', async () => {
  const findLoss = vi.fn<FindLoss>(async () => new Error('lost'));
  const calls = new WaitingCalls(findLoss);
  const late = calls.wait('auth-svc', never()).catch(String);
  await vi.advanceTimersByTimeAsync(presenceCheckMs / 2);
  const young = vi.fn<() => void>();
  calls.wait('auth-svc', never()).catch(young);
  await vi.advanceTimersByTimeAsync(presenceCheckMs / 2);
  expect(await late).toBe('Error: lost');
  expect(young).not.toHaveBeenCalled();
});

it('asks about nobody once every call has its answer, and stops looking', async () => {
  const findLoss = vi.fn<FindLoss>(async () => new Error('lost'));
  const calls = new WaitingCalls(findLoss);
  expect(await calls.wait('auth-svc', Promise.resolve('answer'))).toBe('answer');
  await expect(calls.wait('auth-svc', Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await vi.advanceTimersByTimeAsync(2 * presenceCheckMs);
  expect(findLoss).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
