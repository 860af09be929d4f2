import { expect, it } from 'vitest';
import { columnOf, countByColumn } from './columns';

it('counts each finding in one column', () => {
  expect(columnOf('perdu')).toBe('perdues');
  const counts = Object.fromEntries(
    countByColumn([
      { kind: 'perdu', id: '1' },
      { kind: 'tout autre', id: '2' },
    ]),
  );
  expect([counts['perdues'], counts['autres'], counts['doublées']]).toEqual([1, 1, 0]);
});
