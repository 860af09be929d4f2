import { expect, it } from 'vitest';
import { publicNames } from './public-names';

const namesOf = (...urls: string[]) => [...publicNames(urls.map((url) => ({ id: url, url }))).values()];

it('calls a site by the host of its address alone', () => {
  expect(namesOf('https://boutique.fr', 'http://admin:phare@www.blog.fr:8443/accueil?cle=phare#x')).toEqual([
    'boutique.fr',
    'www.blog.fr',
  ]);
  expect(namesOf('https://xn--caf-dma.fr')).toEqual(['café.fr']);
  expect(namesOf('https://192.0.2.7/')).toEqual(['192.0.2.7']);
});

it('tells sites of one host apart by their ports and paths, and others by a number', () => {
  expect(namesOf('https://a.fr', 'https://a.fr:8443/', 'http://a.fr/')).toEqual(['a.fr', 'a.fr:8443', 'a.fr (2)']);
  expect(namesOf('https://a.fr', 'https://a.fr/blog/', 'https://b.fr/blog')).toEqual(['a.fr', 'a.fr/blog', 'b.fr']);
});
