import type { SiteView } from '@vigie/contracts/site-views';

/** The filters, order and columns that a view saves. */
export type ViewContent = Omit<SiteView, 'id' | 'name'>;

const fields = ['q', 'group_id', 'server_id', 'status', 'sort'] as const;

/** Whether the list shows exactly what the view saves. */
export const matchesView = (view: ViewContent, current: ViewContent): boolean =>
  fields.every((field) => view[field] === current[field]) && view.columns.join(' ') === current.columns.join(' ');
