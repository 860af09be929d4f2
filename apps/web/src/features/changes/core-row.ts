import { coreSlug } from '@vigie/contracts/changes';
import type { Site, SiteExtension } from '@vigie/contracts/sites';
import { foldText } from '@vigie/contracts/search-text';
import type { ItemsSearch } from './search';

/** WordPress itself, as a row above its plugins and themes. */
type CoreRow = Omit<SiteExtension, 'type'> & { type: 'core' };
export type ItemRow = SiteExtension | CoreRow;

const name = 'WordPress';

/** The update of WordPress is listed, and selected, with those of its plugins and themes. */
export function coreRows(
  { wpCore, previous }: Pick<Site, 'wpCore' | 'previous'>,
  { q = '', type: kind }: ItemsSearch,
): CoreRow[] {
  if (!wpCore.hasUpdate || kind !== undefined || !foldText(name).includes(foldText(q.trim()))) return [];
  const state = { status: 'active', kind: 'regular', is_network_active: false, blockedByLicense: false } as const;
  return [{ type: 'core', slug: coreSlug, name, file: null, parent: null, ...state, ...wpCore, previous }];
}
