import { expect, it } from 'vitest';
import { appendLines, type LogRow } from './job-log';

const empty: LogRow = { log_seq: 0, log_bytes: 0, log_cut: null };
const line = 'x'.repeat(999);

it('keeps every line of a log that is short, in its order', () => {
  const once = appendLines(empty, ['a\0', 'é']);
  expect(once).toEqual({ first: 1, lines: ['a', 'é'], log_seq: 2, log_bytes: 6, log_cut: null });
  expect(appendLines(once, ['c'])).toMatchObject({ first: 3, lines: ['c'], log_seq: 3 });
  expect(appendLines(once, [])).toMatchObject({ lines: [], log_seq: 2, log_bytes: 6 });
});

it('keeps what still fits of what is too much, says where it is cut, and what comes then', () => {
  const nearly = { log_seq: 240, log_bytes: 240_000, log_cut: null };
  const cut = appendLines(
    nearly,
    Array.from({ length: 10 }, () => line),
  );
  const at = cut.lines.findIndex((text) => text.startsWith('Journal coupé'));
  expect([at, cut.lines.length, cut.log_cut, cut.log_seq]).toEqual([5, 11, 246, 251]);
  const after = appendLines(cut, ['fin']);
  expect(after).toEqual({ first: 252, lines: ['fin'], log_seq: 252, log_bytes: cut.log_bytes, log_cut: 246 });
});
