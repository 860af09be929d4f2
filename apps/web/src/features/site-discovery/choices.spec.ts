import { expect, it } from 'vitest';
import { choicesOf, choicesWithEdits, mergeEdits, type DiscoveredSite, errorsOf, hasErrors } from './choices';

const aDiscoveredSite = (overrides: Partial<DiscoveredSite> = {}): DiscoveredSite => ({
  path: '/var/www/boutique',
  url: 'https://www.boutique.fr',
  title: 'Boutique',
  version: '6.8.1',
  owner: 'www-data',
  is_multisite: false,
  needs_boot: [],
  site_id: null,
  ...overrides,
});

it('chooses new sites, and names them by title, host or folder', () => {
  const imported = aDiscoveredSite({ site_id: '019a8f3c-0000-7000-8000-000000000001' });
  const choices = choicesOf([
    aDiscoveredSite(),
    aDiscoveredSite({ title: ' ' }),
    aDiscoveredSite({ title: null, url: null }),
    imported,
  ]);
  expect(choices.map(({ name, url, isChosen }) => [name, url, isChosen])).toEqual([
    ['Boutique', 'https://www.boutique.fr', true],
    ['boutique.fr', 'https://www.boutique.fr', true],
    ['boutique', '', false],
    ['Boutique', 'https://www.boutique.fr', false],
  ]);
});

it('marks missing and invalid fields of chosen sites only', () => {
  const [choice] = choicesOf([aDiscoveredSite()]);
  if (!choice) throw new Error('none');
  expect(hasErrors(choice)).toBe(false);
  expect(errorsOf({ ...choice, name: ' ', url: 'ftp://x' })).toEqual({
    name: 'À renseigner.',
    url: expect.stringMatching(/^Cette URL n’est pas valide/),
  });
  expect(hasErrors({ ...choice, name: '', isChosen: false })).toBe(false);
});

it('keeps edits over another search, until they are undone or the site is imported', () => {
  const [path, other] = ['/var/www/boutique', '/var/www/blog'];
  const edits = mergeEdits({}, [aDiscoveredSite()], { [path]: { name: 'Atelier' } });
  const [edited, added] = choicesWithEdits(
    [aDiscoveredSite({ title: 'Autre' }), aDiscoveredSite({ path: other })],
    edits,
    {},
  );
  expect([edited?.name, added?.name, edited?.isChosen]).toEqual(['Atelier', 'Boutique', true]);
  expect(mergeEdits(edits, [aDiscoveredSite()], { [path]: { name: 'Boutique' } })).toEqual({});
  const [imported] = choicesWithEdits([aDiscoveredSite()], edits, { [path]: 'made' });
  expect([imported?.site.site_id, imported?.isChosen]).toEqual(['made', false]);
});
