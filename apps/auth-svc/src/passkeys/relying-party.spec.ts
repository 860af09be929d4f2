import { AppError } from '@vigie/contracts/errors';
import { expect, it } from 'vitest';
import { passkeyOrigin, relyingPartyOf, unavailableReason } from './relying-party';

it.each([
  ['https://vigie.example', { id: 'vigie.example', origin: 'https://vigie.example' }],
  ['https://vigie.example:8443/app/', { id: 'vigie.example', origin: 'https://vigie.example:8443' }],
  ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
])('reads the relying party of %s', (publicUrl, party) => {
  expect(relyingPartyOf(publicUrl)).toEqual(party);
  expect([unavailableReason(publicUrl), passkeyOrigin(publicUrl)]).toEqual([undefined, party.origin]);
});

it.each([
  ['http://vigie.example', 'HTTPS'],
  ['http://127.0.0.1:8080', 'adresse IP'],
  ['https://192.0.2.7', 'adresse IP'],
  ['https://[2001:db8::1]:8443', 'adresse IP'],
  ['http://localhost.example', 'HTTPS'],
])('has none for %s', (publicUrl, reason) => {
  expect([unavailableReason(publicUrl), passkeyOrigin(publicUrl)]).toEqual([expect.stringContaining(reason), null]);
  expect(() => relyingPartyOf(publicUrl)).toThrow(AppError);
});
