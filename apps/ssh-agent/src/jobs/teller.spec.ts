import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '@vigie/contracts/errors';
import type { Bus } from '@vigie/service-kit/bus';
import { Teller } from './teller';

type Note = { progress: { step: string } | null; lines: string[]; heard: number };
let heard: Note[];
let answer: () => Promise<object>;
let teller: Teller;
let make: (before: number) => Teller;
beforeEach(() => {
  vi.useFakeTimers();
  heard = [];
  answer = () => Promise.resolve({});
  const call = (_contract: unknown, note: Note) => {
    heard.push(note);
    return answer();
  };
  make = (before) => new Teller({ call: call as unknown as Bus['call'] }, { id: 'x', fence: 1, heard: before });
  teller = make(0);
});
afterEach(() => {
  vi.useRealTimers();
});

const lines = (n: number, length = 10) => Array.from({ length: n }, () => '\u0001'.repeat(length));
const told = () => heard.flatMap((note) => note.lines).length;

it('tells everything before the end, in messages that the bus carries', async () => {
  teller.tell(null, lines(50, 4_000));
  teller.tell(null, lines(900));
  await teller.end();
  expect(told()).toBe(950);
  expect(Math.max(...heard.map((note) => JSON.stringify(note).length))).toBeLessThan(1_000_000);
});

it('keeps no more than the ledger would', async () => {
  for (let n = 0; n < 1_000; n += 1) teller.tell(null, lines(100, 1_000));
  teller.tell(null, ['fin']);
  await teller.end();
  const texts = heard.flatMap((note) => note.lines);
  expect([texts.filter((text) => text.startsWith('Ici manquent')).length, texts.at(-1)]).toEqual([1, 'fin']);
  expect(told()).toBeLessThan(500);
});

it('waits for a slow ledger once, not for each second of it', async () => {
  answer = () => new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 5_000));
  for (let n = 0; n < 30; n += 1) {
    teller.tell({ step: `${n}`, done: n, total: 30 }, ['x']);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(heard.length).toBeLessThanOrEqual(7);
  let isOver = false;
  void teller.end().then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(isOver).toBe(true);
});

it('tells what a host says once, whoever heard it', async () => {
  const says = ['un', 'deux', 'trois', 'quatre'].map((text, at) => ({ text, place: (at + 1) * 10 }));
  const hearAll = (by: Teller, upTo: number) => {
    for (const { text, place } of says.slice(0, upTo)) {
      by.hear(place, () => by.tell({ step: text, done: null, total: null }, [text, `${text} encore`]));
    }
  };
  hearAll(teller, 2);
  await teller.end();
  const next = make(heard.at(-1)?.heard ?? 0);
  hearAll(next, 4);
  hearAll(next, 4);
  await next.end();
  expect(heard.flatMap((note) => note.lines)).toEqual(says.flatMap(({ text }) => [text, `${text} encore`]));
});

it('leaves what could not be told to the next one', async () => {
  for (let n = 1; n <= 300; n += 1) teller.hear(n * 5, () => teller.tell(null, [`${n}`]));
  expect(heard.map((note) => [note.lines.length, note.heard])).toEqual([[1, 5]]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(heard.map((note) => [note.lines.length, note.heard]).at(-1)).toEqual([200, 1_009]);
});

it('keeps what must be known, however often it has to be said', async () => {
  const refusals = [new AppError('unavailable', 'x'), new AppError('unavailable', 'x')];
  answer = async () => {
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    return {};
  };
  const kept = teller.remember({ a: 1 }, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(5_000);
  await kept;
  expect(heard).toHaveLength(3);
  expect(heard.at(-1)).toMatchObject({ memo: { a: 1 }, lines: [] });
  answer = () => Promise.reject(new AppError('conflict', 'x'));
  await expect(teller.remember({ a: 2 }, new AbortController().signal)).rejects.toMatchObject({ code: 'conflict' });
  await expect(teller.remember({ a: 2 }, AbortSignal.abort('lost'))).rejects.toBe('lost');
});
