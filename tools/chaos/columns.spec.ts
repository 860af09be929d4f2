import { expect, it } from 'vitest';
import { columnOf, count } from './columns';

it('counts each finding in one column', () => {
  expect(columnOf('perdu')).toBe('perdues');
  const counted = Object.fromEntries(
    count([
      { what: 'perdu', id: '1' },
      { what: 'tout autre', id: '2' },
    ]),
  );
  expect([counted['perdues'], counted['autres'], counted['doublées']]).toEqual([1, 1, 0]);
});
