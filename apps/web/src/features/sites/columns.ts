import { type SiteColumn, siteColumns } from '@vigie/contracts/site-views';
import { createSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';

const key = 'sites_columns';

const isColumn = (name: string): name is SiteColumn => siteColumns.some((column) => column === name);

/** All columns, until a choice is stored. */
function readColumns(): readonly SiteColumn[] {
  const stored = readLocal(key);
  return stored === null ? siteColumns : stored.split(' ').filter(isColumn);
}

/** The chosen columns, stored in this browser. */
export const chosenColumns = createSignal(readColumns());

export function chooseColumns(names: readonly SiteColumn[]): void {
  const next = siteColumns.filter((column) => names.includes(column));
  writeLocal(key, next.join(' '));
  chosenColumns.set(next);
}

/** In pixels. */
export const columnWidths: Readonly<Record<SiteColumn, number>> = {
  url: 180,
  groups: 112,
  server: 130,
  status: 100,
  http: 76,
  updates: 112,
  wp_version: 104,
  php_version: 76,
  backup: 112,
  read: 116,
};

/** The most important column first. */
const columnPriority = [
  'url',
  'groups',
  'backup',
  'http',
  'status',
  'updates',
  'server',
  'wp_version',
  'php_version',
  'read',
] as const satisfies readonly SiteColumn[];

/** The details of a card, most important first, without those that the card shows elsewhere. */
export const cardDetails = (chosen: readonly SiteColumn[]): readonly SiteColumn[] =>
  columnPriority.filter((column) => chosen.includes(column) && !['status', 'http', 'url'].includes(column));

/** The widths of the tick, a readable name and the actions. */
const fixedWidth = 40 + 220 + 160;

/** Splits the chosen columns into those beside the name and those below it. */
export function fitColumns(width: number, chosen: readonly SiteColumn[]) {
  let widthLeft = width - fixedWidth;
  const fittingColumns = new Set<SiteColumn>();
  for (const column of columnPriority) {
    if (!chosen.includes(column)) continue;
    widthLeft -= columnWidths[column];
    // Stops here, so that a less important column never takes the room of a more important one.
    if (widthLeft < 0) break;
    fittingColumns.add(column);
  }
  return {
    columns: siteColumns.filter((column) => fittingColumns.has(column)),
    details: siteColumns.filter((column) => chosen.includes(column) && !fittingColumns.has(column)),
  };
}
