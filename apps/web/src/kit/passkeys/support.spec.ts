import { expect, it } from 'vitest';
import { unsupportedReason } from './support';

const origin = 'https://vigie.example';
const browser = { origin, hasWebAuthn: true };

it('takes passkeys at the address of the server', () => {
  expect(unsupportedReason(origin, browser)).toBeUndefined();
});

it.each(['http://vigie.example', 'https://vigie.example:8443', 'https://www.vigie.example', 'https://192.0.2.1'])(
  'names the right address to somebody at %s',
  (other) => {
    expect(unsupportedReason(origin, { ...browser, origin: other })).toContain(`à l’adresse ${origin}\u00a0:`);
  },
);

it('says that the browser knows no passkeys', () => {
  expect(unsupportedReason(origin, { ...browser, hasWebAuthn: false })).toContain('Ce navigateur');
});
