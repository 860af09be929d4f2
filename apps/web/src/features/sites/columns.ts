import { type SiteColumn, siteColumns } from '@vigie/contracts/site-views';
import { createSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';

const key = 'sites_columns';

const isColumn = (name: string): name is SiteColumn => siteColumns.some((column) => column === name);

/**
 * The status is left out, since nearly every site waits for some update: errors are marked in the row itself. So is the
 * uptime, whose ticks take the room of two other columns.
 */
export const firstColumns = siteColumns.filter((column) => column !== 'status' && column !== 'uptime');

function readColumns(): readonly SiteColumn[] {
  const stored = readLocal(key);
  return stored === null ? firstColumns : stored.split(' ').filter(isColumn);
}

/** The chosen columns, stored in this browser. */
export const chosenColumns = createSignal(readColumns());

export function chooseColumns(names: readonly SiteColumn[]): void {
  const next = siteColumns.filter((column) => names.includes(column));
  writeLocal(key, next.join(' '));
  chosenColumns.set(next);
}

const densityKey = 'sites_density';

/** Whether the rows are low, stored in this browser. */
export const isCompact = createSignal(readLocal(densityKey) === 'compact');
isCompact.subscribe(() => writeLocal(densityKey, isCompact.get() ? 'compact' : null));

/** In pixels. */
export const columnWidths: Readonly<Record<SiteColumn, number>> = {
  url: 180,
  groups: 112,
  server: 112,
  status: 104,
  http: 76,
  uptime: 200,
  updates: 112,
  wp_version: 104,
  php_version: 76,
  backup: 112,
  read: 116,
};

/** The most important column first. */
const columnPriority = [
  'http',
  'updates',
  'uptime',
  'url',
  'groups',
  'backup',
  'status',
  'server',
  'wp_version',
  'php_version',
  'read',
] as const satisfies readonly SiteColumn[];

/** The second line of a card, most important first, without what the first line shows. */
export const cardDetails = (chosen: readonly SiteColumn[]): readonly SiteColumn[] =>
  columnPriority.filter((column) => chosen.includes(column) && !['http', 'url'].includes(column));

/** The widths of the checkbox, a readable name and the actions. */
const fixedWidth = 40 + 280 + 160;

/** The chosen columns that have room in one line, without those that are less important. */
export function fitColumns(width: number, chosen: readonly SiteColumn[]): readonly SiteColumn[] {
  let widthLeft = width - fixedWidth;
  const fittingColumns = new Set<SiteColumn>();
  for (const column of columnPriority) {
    if (!chosen.includes(column)) continue;
    widthLeft -= columnWidths[column];
    // Stops here, so that a less important column never takes the room of a more important one.
    if (widthLeft < 0) break;
    fittingColumns.add(column);
  }
  return siteColumns.filter((column) => fittingColumns.has(column));
}
