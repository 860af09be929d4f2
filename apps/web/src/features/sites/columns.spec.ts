import { expect, it } from 'vitest';
import { siteColumns } from '@vigie/contracts/site-views';
import { columnWidths, firstColumns, fitColumns } from './columns';

it('never exceeds the width of the list', () => {
  for (let width = 320; width < 2_400; width += 37) {
    const columns = fitColumns(width, siteColumns);
    const tableWidth = columns.reduce((sum, column) => sum + columnWidths[column], 480);
    expect(columns.length === 0 || tableWidth <= width).toBe(true);
  }
});

it('keeps the most important columns', () => {
  expect(fitColumns(1_160, firstColumns)).toEqual(['url', 'groups', 'http', 'updates', 'backup']);
  expect(fitColumns(1_000, ['url', 'read'])).toEqual(['url', 'read']);
  expect(fitColumns(560, ['url', 'status', 'read'])).toEqual([]);
  expect(fitColumns(2_000, siteColumns)).toEqual(siteColumns);
});
