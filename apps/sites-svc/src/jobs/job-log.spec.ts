import { expect, it } from 'vitest';
import { appendLines, type LogRow } from './job-log';

const empty: LogRow = { log_seq: 0, log_bytes: 0, log_cut: null };
const line = 'x'.repeat(999);

it('keeps every line of a short log in order', () => {
  const appended = appendLines(empty, ['a\0', 'é']);
  expect(appended).toEqual({ first: 1, lines: ['a', 'é'], log_seq: 2, log_bytes: 6, log_cut: null });
  expect(appendLines(appended, ['c'])).toMatchObject({ first: 3, lines: ['c'], log_seq: 3 });
  expect(appendLines(appended, [])).toMatchObject({ lines: [], log_seq: 2, log_bytes: 6 });
});

it('keeps the lines that fit, marks the cut, and keeps the lines after it', () => {
  const nearlyFull = { log_seq: 240, log_bytes: 240_000, log_cut: null };
  const cut = appendLines(
    nearlyFull,
    Array.from({ length: 10 }, () => line),
  );
  const at = cut.lines.findIndex((text) => text.startsWith('Journal coupé'));
  expect([at, cut.lines.length, cut.log_cut, cut.log_seq]).toEqual([5, 11, 246, 251]);
  const after = appendLines(cut, ['fin']);
  expect(after).toEqual({ first: 252, lines: ['fin'], log_seq: 252, log_bytes: cut.log_bytes, log_cut: 246 });
});
