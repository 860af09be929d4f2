import { expect, it } from 'vitest';
import { isShown, type Shown } from './shown';

const view: Shown = {
  q: 'maj:oui',
  group_id: null,
  server_id: null,
  status: 'error',
  sort: '-backup',
  columns: ['http', 'backup'],
};

it('is what is shown as long as nothing of it was changed', () => {
  expect(isShown({ ...view, columns: [...view.columns] }, view)).toBe(true);
  for (const change of [{ q: '' }, { status: null }, { sort: 'name' }, { columns: ['http'] }, { group_id: 'g' }]) {
    expect(isShown(view, { ...view, ...change } as Shown)).toBe(false);
  }
});
