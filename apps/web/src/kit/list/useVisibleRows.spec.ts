import { describe, expect, it } from 'vitest';
import { rowsNear, splitRows } from './useVisibleRows';

const long = { count: 1_000, height: 50 };

describe('the rows near the screen', () => {
  it('are those on the screen and a few around it', () => {
    expect(rowsNear(200, 900, long)).toEqual({ first: 0, last: 25 });
    expect(rowsNear(-25_000, 900, long)).toEqual({ first: 490, last: 530 });
  });

  it('never pass the end of a list that became shorter', () => {
    expect(rowsNear(-49_500, 900, long)).toEqual({ first: 980, last: 999 });
    expect(rowsNear(-49_500, 900, { ...long, count: 3 })).toEqual({ first: 2, last: 2 });
    expect(rowsNear(0, 900, { ...long, count: 0 })).toEqual({ first: 0, last: -1 });
  });
});

describe('the parts of a list', () => {
  it('cover the whole list', () => {
    for (const focusedRow of [undefined, 0, 5, 999, 1_200]) {
      const parts = splitRows(490, 530, 1_000, focusedRow);
      expect(parts.reduce((sum, part) => sum + ('gap' in part ? part.gap : 1), 0)).toBe(1_000);
    }
  });

  it('keep the focused row in its place', () => {
    expect(splitRows(2, 3, 10, 7)).toEqual([
      { gap: 2, after: 0 },
      { row: 2 },
      { row: 3 },
      { gap: 3, after: 4 },
      { row: 7 },
      { gap: 2, after: 8 },
    ]);
    expect(splitRows(0, -1, 0, undefined)).toEqual([]);
  });
});
