import { expect, it } from 'vitest';
import { registeredDomain } from './registered-domain';

it.each([
  ['https://www.boutique.fr/blog', 'boutique.fr'],
  ['http://Boutique.FR.:8080/', 'boutique.fr'],
  ['https://a.b.exemple.co.uk/', 'exemple.co.uk'],
  ['https://café.fr/', 'xn--caf-dma.fr'],
  ['https://пример.рф/', 'xn--e1afmkfd.xn--p1ai'],
  // Names that a provider gives away below its own domain.
  ['https://camille.github.io/', null],
  ['https://camille.eu.com/', null],
  ['https://co.uk/', null],
  ['https://localhost/', null],
  ['https://intranet/', null],
  ['https://boutique.test/', null],
  ['https://boutique.local/', null],
  ['http://192.0.2.1/', null],
  ['http://[2001:db8::1]/', null],
  ['http://0x7f000001/', null],
  ['pas une adresse', null],
])('of %s is %s', (url, domain) => {
  expect(registeredDomain(url)).toBe(domain);
});
