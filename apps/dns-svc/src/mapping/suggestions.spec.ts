import { expect, it } from 'vitest';
import { hostOf, pairSites, zoneOf } from './suggestions';

const site = (url: string) => ({ id: url, name: url, url });
const zone = (name: string) => ({ id: name, name });
const pairs = (urls: string[], names: string[]) =>
  pairSites(urls.map(site), names.map(zone)).map((pair) => `${pair.site.id} ${pair.zone.id}`);

it('suggests the zone of a site’s host', () => {
  expect(pairs(['https://www.exemple.fr/blog', 'https://autre.fr'], ['exemple.fr', 'reste.fr'])).toEqual([
    'https://www.exemple.fr/blog exemple.fr',
  ]);
});

it('does not match a longer word', () => {
  expect(pairs(['https://monexemple.fr'], ['exemple.fr'])).toEqual([]);
});

it('prefers the closest zone, and the domain itself over other sites', () => {
  expect(zoneOf('www.a.exemple.fr', [zone('exemple.fr'), zone('a.exemple.fr')])?.id).toBe('a.exemple.fr');
  const urls = ['https://boutique.exemple.fr', 'https://www.exemple.fr', 'https://exemple.fr'];
  expect(pairs(urls, ['exemple.fr'])).toEqual(['https://exemple.fr exemple.fr']);
  expect(pairs(urls.slice(0, 2), ['exemple.fr'])).toEqual(['https://www.exemple.fr exemple.fr']);
});

it('reads accents as punycode, and no host from an invalid URL', () => {
  expect(hostOf('https://café.fr')).toBe('xn--caf-dma.fr');
  expect(hostOf('rien')).toBeUndefined();
});
