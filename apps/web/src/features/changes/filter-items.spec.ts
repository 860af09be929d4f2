import { expect, it } from 'vitest';
import type { SiteExtension } from '@vigie/contracts/sites';
import { rowKey, filterItems } from './filter-items';

const anItem = (slug: string, more: Partial<SiteExtension> = {}): SiteExtension => ({
  type: 'plugin',
  slug,
  file: null,
  name: slug,
  version: '1.0',
  status: 'active',
  kind: 'regular',
  is_network_active: false,
  parent: null,
  hasUpdate: false,
  new_version: null,
  blockedByLicense: false,
  previous: null,
  ...more,
});
const plugins = [
  anItem('garde', { kind: 'must_use' }),
  anItem('zeta'),
  anItem('eau', { name: 'Éau', hasUpdate: true }),
];
const themes = [anItem('phare', { type: 'theme' })];
const slugs = (search: Parameters<typeof filterItems>[1]) =>
  filterItems({ plugins, themes }, search).map(({ slug }) => slug);

it('sorts by type and name, with fixed plugins last', () => {
  expect(slugs({})).toEqual(['eau', 'zeta', 'phare', 'garde']);
});

it('gives plugins of the same folder different keys', () => {
  const twins = ['duo/un.php', 'duo/deux.php'].map((file) => anItem('duo', { file }));
  expect(new Set(twins.map(rowKey)).size).toBe(2);
});

it('filters by type, by update and by text', () => {
  expect(slugs({ type: 'theme' })).toEqual(['phare']);
  expect(slugs({ updates: true })).toEqual(['eau']);
  expect(slugs({ q: 'EAU' })).toEqual(['eau']);
});
