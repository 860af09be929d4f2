import { expect, it } from 'vitest';
import { choicesOf, editedOf, editsWith, type Found, faultsOf, isFaulty } from './choices';

const aFound = (more: Partial<Found> = {}): Found => ({
  path: '/var/www/boutique',
  url: 'https://www.boutique.fr',
  title: 'Boutique',
  version: '6.8.1',
  owner: 'www-data',
  is_multisite: false,
  needs_boot: [],
  site_id: null,
  ...more,
});

it('wants what is not known yet, and is called by its title, its host or its folder', () => {
  const known = aFound({ site_id: '019a8f3c-0000-7000-8000-000000000001' });
  const choices = choicesOf([aFound(), aFound({ title: ' ' }), aFound({ title: null, url: null }), known]);
  expect(choices.map(({ name, url, isChosen }) => [name, url, isChosen])).toEqual([
    ['Boutique', 'https://www.boutique.fr', true],
    ['boutique.fr', 'https://www.boutique.fr', true],
    ['boutique', '', false],
    ['Boutique', 'https://www.boutique.fr', false],
  ]);
});

it('marks what is missing or wrong of what is wanted only', () => {
  const [choice] = choicesOf([aFound()]);
  if (!choice) throw new Error('none');
  expect(isFaulty(choice)).toBe(false);
  expect(faultsOf({ ...choice, name: ' ', url: 'ftp://x' })).toEqual({
    name: 'À renseigner.',
    url: expect.stringMatching(/^Cette URL n’est pas valide/),
  });
  expect(isFaulty({ ...choice, name: '', isChosen: false })).toBe(false);
});

it('keeps what was changed over another search, until it is as found or made', () => {
  const [path, other] = ['/var/www/boutique', '/var/www/blog'];
  const edits = editsWith({}, [aFound()], { [path]: { name: 'Atelier' } });
  const [edited, added] = editedOf([aFound({ title: 'Autre' }), aFound({ path: other })], edits, {});
  expect([edited?.name, added?.name, edited?.isChosen]).toEqual(['Atelier', 'Boutique', true]);
  expect(editsWith(edits, [aFound()], { [path]: { name: 'Boutique' } })).toEqual({});
  const [made] = editedOf([aFound()], edits, { [path]: 'made' });
  expect([made?.found.site_id, made?.isChosen]).toEqual(['made', false]);
});
