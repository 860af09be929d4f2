import { expect, it } from 'vitest';
import type { DnsConfig } from '@vigie/contracts/dns-config';
import { changesOf, findErrors, creationOf, validationOf, valuesOf } from './config';

const missing = 'Renseignez votre email et votre clé API Cloudflare.';
const none: DnsConfig = {
  has_config: false,
  mode: null,
  email: null,
  notes: null,
  created_at: null,
  updated_at: null,
  problem: null,
  zones_count: 0,
  snapshots_count: 0,
};
const stored: DnsConfig = { ...none, has_config: true, mode: 'global_key', email: 'a@exemple.fr', notes: 'À moi' };
const typed = valuesOf(none);

it('offers a token first, and sends no email with it', () => {
  expect(creationOf({ ...typed, email: 'a@exemple.fr', api_key: ' jeton ' })).toEqual({
    mode: 'api_token',
    email: null,
    api_key: 'jeton',
    notes: null,
  });
});

it('marks the missing field with one error', () => {
  expect(findErrors(none, typed)).toEqual({ api_key: 'Renseignez votre jeton d’API Cloudflare.' });
  expect(findErrors(none, { ...typed, mode: 'global_key' })).toEqual({ email: missing });
  expect(findErrors(none, { ...typed, mode: 'global_key', email: 'a@exemple.fr', api_key: 'k' })).toEqual({});
  expect(findErrors(none, { ...typed, mode: 'global_key', email: 'pas une adresse', api_key: 'k' })).toEqual({
    email: 'Cette adresse email n’est pas valide.',
  });
});

it('keeps the stored key where none is typed, unless the authentication mode changes', () => {
  const values = valuesOf(stored);
  expect(findErrors(stored, values)).toEqual({});
  expect(findErrors(stored, { ...values, mode: 'api_token' })).toEqual({
    api_key: 'Renseignez votre jeton d’API Cloudflare.',
  });
  expect(validationOf(stored, values)).toEqual({ mode: 'global_key', email: 'a@exemple.fr' });
});

it('sends only the changed fields', () => {
  const values = valuesOf(stored);
  expect(changesOf(stored, values)).toEqual({});
  expect(changesOf(stored, { ...values, notes: ' ' })).toEqual({ notes: null });
  expect(changesOf(stored, { ...values, mode: 'api_token', api_key: 't' })).toEqual({
    mode: 'api_token',
    api_key: 't',
  });
});
