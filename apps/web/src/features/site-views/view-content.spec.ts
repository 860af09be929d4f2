import { expect, it } from 'vitest';
import { matchesView, type ViewContent } from './view-content';

const view: ViewContent = {
  q: 'maj:oui',
  group_id: null,
  server_id: null,
  status: 'error',
  sort: '-backup',
  columns: ['http', 'backup'],
};

it('matches the view until a filter, the order or a column changes', () => {
  expect(matchesView({ ...view, columns: [...view.columns] }, view)).toBe(true);
  for (const change of [{ q: '' }, { status: null }, { sort: 'name' }, { columns: ['http'] }, { group_id: 'g' }]) {
    expect(matchesView(view, { ...view, ...change } as ViewContent)).toBe(false);
  }
});
