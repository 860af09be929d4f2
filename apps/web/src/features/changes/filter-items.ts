import type { Site, SiteExtension } from '@vigie/contracts/sites';
import { foldText } from '@vigie/contracts/search-text';
import type { ItemRow } from './core-row';
import type { ItemsSearch } from './search';

const collator = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });
/** The slug alone is not unique: must-use plugins, drop-ins and plugins of the same folder may share it. */
export const rowKey = ({ type: kind, kind: pluginKind, slug, file }: ItemRow): string =>
  `${kind} ${pluginKind} ${slug} ${file ?? ''}`;

/** Must-use plugins and drop-ins cannot be changed and come last. */
export function filterItems(
  { plugins, themes }: Pick<Site, 'plugins' | 'themes'>,
  { q = '', type: kind, updates }: ItemsSearch,
): SiteExtension[] {
  const text = foldText(q.trim());
  return [...plugins, ...themes]
    .filter((item) => (kind === undefined || item.type === kind) && (!updates || item.hasUpdate))
    .filter(({ name, slug }) => foldText(name).includes(text) || slug.toLowerCase().includes(text))
    .toSorted(
      (a, b) =>
        Number(a.kind !== 'regular') - Number(b.kind !== 'regular') ||
        a.type.localeCompare(b.type) ||
        collator.compare(a.name, b.name),
    );
}
