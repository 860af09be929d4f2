import { expect, it } from 'vitest';
import { adminUrl } from './admin-url';

it.each([
  ['https://exemple.fr', 'https://exemple.fr/wp-admin/'],
  ['https://exemple.fr/blog/', 'https://exemple.fr/blog/wp-admin/'],
  ['http://127.0.0.1:8081/fr?lang=fr', 'http://127.0.0.1:8081/fr/wp-admin/'],
])('finds the administration of %s', (url, expected) => {
  expect(adminUrl(url)).toBe(expected);
});
