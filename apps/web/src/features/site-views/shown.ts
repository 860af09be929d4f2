import type { SiteView } from '@vigie/contracts/site-views';

/** What a view keeps: all that it is but its name. */
export type Shown = Omit<SiteView, 'id' | 'name'>;

const fields = ['q', 'group_id', 'server_id', 'status', 'sort'] as const;

/** Whether what is shown is what a view keeps. */
export const isShown = (view: Shown, shown: Shown): boolean =>
  fields.every((field) => view[field] === shown[field]) && view.columns.join(' ') === shown.columns.join(' ');
