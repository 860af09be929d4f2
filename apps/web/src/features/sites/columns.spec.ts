import { expect, it } from 'vitest';
import { siteColumns } from '@vigie/contracts/site-views';
import { columnWidths, fitColumns } from './columns';

it('shows each chosen column beside the name or below it, and never exceeds the width', () => {
  for (let width = 320; width < 2_400; width += 37) {
    const { columns, details } = fitColumns(width, siteColumns);
    expect([...columns, ...details].toSorted()).toEqual([...siteColumns].toSorted());
    const tableWidth = columns.reduce((sum, column) => sum + columnWidths[column], 420);
    expect(columns.length === 0 || tableWidth <= width).toBe(true);
  }
});

it('keeps the more important columns beside the name', () => {
  expect(fitColumns(1_000, siteColumns).columns).toEqual(['url', 'groups', 'status', 'http', 'backup']);
  expect(fitColumns(1_000, ['url', 'read'])).toEqual({ columns: ['url', 'read'], details: [] });
  expect(fitColumns(500, ['url', 'status', 'read'])).toEqual({ columns: [], details: ['url', 'status', 'read'] });
});
