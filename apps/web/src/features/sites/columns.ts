import { type SiteColumn, siteColumns } from '@vigie/contracts/site-views';
import { createSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';

const key = 'sites_columns';

const isColumn = (name: string): name is SiteColumn => siteColumns.some((column) => column === name);

/** As they were kept; whoever kept none sees all. */
function readColumns(): readonly SiteColumn[] {
  const kept = readLocal(key);
  return kept === null ? siteColumns : kept.split(' ').filter(isColumn);
}

/** The columns that somebody wants to see, remembered by this browser. */
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

/** The first has its column before the others. */
const byWeight = [
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

/** Where there are no columns: what is weighty first, without what a card shows by itself or has no room for. */
export const cardDetails = (chosen: readonly SiteColumn[]): readonly SiteColumn[] =>
  byWeight.filter((column) => chosen.includes(column) && !['status', 'http', 'url'].includes(column));

/** What is there beside them: the choice, a name that can be read, and the actions. */
const taken = 40 + 220 + 160;

/** Those that have room beside the name, and those that stand below it. */
export function fitColumns(width: number, chosen: readonly SiteColumn[]) {
  let room = width - taken;
  const fitting = new Set<SiteColumn>();
  for (const column of byWeight) {
    if (!chosen.includes(column)) continue;
    room -= columnWidths[column];
    // What is less important never takes the place of what is more so.
    if (room < 0) break;
    fitting.add(column);
  }
  return {
    columns: siteColumns.filter((column) => fitting.has(column)),
    details: siteColumns.filter((column) => chosen.includes(column) && !fitting.has(column)),
  };
}
