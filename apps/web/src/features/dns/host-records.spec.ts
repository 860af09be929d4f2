import { expect, it } from 'vitest';
import { hostOf, ofHost } from './host-records';

it('finds the records that have the name of a site, with or without www', () => {
  const host = hostOf('https://www.Exemple.fr/blog');
  expect(host).toBe('www.exemple.fr');
  expect(ofHost({ name: 'exemple.fr' }, host)).toBe(true);
  expect(ofHost({ name: 'www.exemple.fr' }, 'exemple.fr')).toBe(true);
  expect(ofHost({ name: 'mail.exemple.fr' }, host)).toBe(false);
});

it('compares names in punycode', () => {
  expect(ofHost({ name: 'xn--lan-9la.fr' }, hostOf('https://élan.fr'))).toBe(true);
});
