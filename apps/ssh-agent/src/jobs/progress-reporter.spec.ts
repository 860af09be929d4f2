import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '@vigie/contracts/errors';
import type { Bus } from '@vigie/service-kit/bus';
import { ProgressReporter } from './progress-reporter';

type Message = { progress: { step: string } | null; lines: string[]; heard: number };
let messages: Message[];
let answer: () => Promise<object>;
let reporter: ProgressReporter;
let make: (before: number) => ProgressReporter;
beforeEach(() => {
  vi.useFakeTimers();
  messages = [];
  answer = () => Promise.resolve({});
  const call = (_contract: unknown, message: Message) => {
    messages.push(message);
    return answer();
  };
  make = (before) =>
    new ProgressReporter({ call: call as unknown as Bus['call'] }, { id: 'x', fence: 1, heard: before });
  reporter = make(0);
});
afterEach(() => {
  vi.useRealTimers();
});

const held = new AbortController().signal;
const lines = (n: number, length = 10) => Array.from({ length: n }, () => '\u0001'.repeat(length));
const countLines = () => messages.flatMap((message) => message.lines).length;

it('sends everything before it ends, in messages that fit on the bus', async () => {
  reporter.report(null, lines(50, 4_000));
  reporter.report(null, lines(900));
  await reporter.end(held);
  expect(countLines()).toBe(950);
  expect(Math.max(...messages.map((message) => JSON.stringify(message).length))).toBeLessThan(1_000_000);
});

it('does not send progress that comes with the end', async () => {
  const step = (done: number) => ({ step: 'Copie', done, total: 2 });
  reporter.report(step(0), []);
  reporter.report(step(1), []);
  await reporter.end(held);
  expect(messages).toEqual([expect.objectContaining({ progress: step(0) })]);
});

it('queues no more than a log holds', async () => {
  for (let n = 0; n < 1_000; n += 1) reporter.report(null, lines(100, 1_000));
  reporter.report(null, ['fin']);
  await reporter.end(held);
  const texts = messages.flatMap((message) => message.lines);
  expect([texts.filter((text) => text.startsWith('Des lignes manquent')).length, texts.at(-1)]).toEqual([1, 'fin']);
  expect(countLines()).toBeLessThan(500);
});

it('waits for a slow ledger once, not once a second', async () => {
  answer = () => new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 5_000));
  for (let n = 0; n < 30; n += 1) {
    reporter.report({ step: `${n}`, done: n, total: 30 }, ['x']);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(messages.length).toBeLessThanOrEqual(7);
  let isOver = false;
  void reporter.end(held).then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(isOver).toBe(true);
});

it('reports each line of a host once, whichever worker read it', async () => {
  const output = ['un', 'deux', 'trois', 'quatre'].map((text, at) => ({ text, offset: (at + 1) * 10 }));
  const reportAll = (to: ProgressReporter, upTo: number) => {
    for (const { text, offset } of output.slice(0, upTo)) {
      to.reportAt(offset, () => to.report({ step: text, done: null, total: null }, [text, `${text} encore`]));
    }
  };
  reportAll(reporter, 2);
  await reporter.end(held);
  const next = make(messages.at(-1)?.heard ?? 0);
  reportAll(next, 4);
  reportAll(next, 4);
  await next.end(held);
  expect(messages.flatMap((message) => message.lines)).toEqual(output.flatMap(({ text }) => [text, `${text} encore`]));
});

it('leaves lines that were not sent to the next worker', async () => {
  for (let n = 1; n <= 300; n += 1) reporter.reportAt(n * 5, () => reporter.report(null, [`${n}`]));
  expect(messages.map((message) => [message.lines.length, message.heard])).toEqual([[1, 5]]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(messages.map((message) => [message.lines.length, message.heard]).at(-1)).toEqual([200, 1_009]);
});

it('sends a checkpoint until the ledger stores it, and no longer once it is refused', async () => {
  const refusals = [new AppError('unavailable', 'x'), new AppError('unavailable', 'x')];
  answer = async () => {
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    return {};
  };
  const saved = reporter.saveCheckpoint({ a: 1 }, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(5_000);
  await saved;
  expect(messages).toHaveLength(3);
  expect(messages.at(-1)).toMatchObject({ memo: { a: 1 }, lines: [] });
  answer = () => Promise.reject(new AppError('conflict', 'x'));
  await expect(reporter.saveCheckpoint({ a: 2 }, new AbortController().signal)).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(reporter.saveCheckpoint({ a: 2 }, AbortSignal.abort('lost'))).rejects.toBe('lost');
});

it('sends lines again that an absent ledger did not get, each once and in order', async () => {
  const stored: string[] = [];
  answer = () => {
    if (messages.length < 3) return Promise.reject(new AppError('unavailable', 'x'));
    stored.push(...(messages.at(-1)?.lines ?? []));
    return Promise.resolve({});
  };
  for (const text of ['un', 'deux', 'trois']) reporter.report(null, [text]);
  await reporter.end(held);
  expect(stored).toEqual(['un', 'deux', 'trois']);
});

it('says that lines may be missing where no answer came', async () => {
  answer = () => Promise.reject(new AppError('unavailable', 'x', { cause: new Error('timeout') }));
  reporter.report(null, ['un']);
  await vi.advanceTimersByTimeAsync(0);
  messages = [];
  answer = () => Promise.resolve({});
  reporter.report(null, ['deux']);
  await reporter.end(held);
  expect(messages.flatMap((message) => message.lines)).toEqual([expect.stringMatching(/peuvent manquer/), 'deux']);
});

it.each(['conflict', 'unavailable'] as const)('ends when lines are refused for good: %s', async (code) => {
  answer = () => Promise.reject(new AppError(code, 'x'));
  reporter.report(null, lines(900));
  await reporter.end(code === 'conflict' ? held : AbortSignal.abort('lost'));
  expect(messages.length).toBeLessThanOrEqual(2);
});
