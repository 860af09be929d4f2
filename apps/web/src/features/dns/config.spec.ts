import { expect, it } from 'vitest';
import type { DnsConfig } from '@vigie/contracts/dns-config';
import { changesOf, check, creationOf, trialOf, valuesOf } from './config';

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

it('begins with a token, and sends no address with one', () => {
  expect(creationOf({ ...typed, email: 'a@exemple.fr', api_key: ' jeton ' })).toEqual({
    mode: 'api_token',
    email: null,
    api_key: 'jeton',
    notes: null,
  });
});

it('asks for what is missing, once and where it is missing', () => {
  expect(check(none, typed)).toEqual({ api_key: 'Renseignez votre jeton d’API Cloudflare.' });
  expect(check(none, { ...typed, mode: 'global_key' })).toEqual({ email: missing });
  expect(check(none, { ...typed, mode: 'global_key', email: 'a@exemple.fr', api_key: 'k' })).toEqual({});
  expect(check(none, { ...typed, mode: 'global_key', email: 'pas une adresse', api_key: 'k' })).toEqual({
    email: 'Cette adresse email n’est pas valide.',
  });
});

it('keeps the stored key where none is typed, unless the way of logging in changes', () => {
  const values = valuesOf(stored);
  expect(check(stored, values)).toEqual({});
  expect(check(stored, { ...values, mode: 'api_token' })).toEqual({
    api_key: 'Renseignez votre jeton d’API Cloudflare.',
  });
  expect(trialOf(stored, values)).toEqual({ mode: 'global_key', email: 'a@exemple.fr' });
});

it('sends only what differs', () => {
  const values = valuesOf(stored);
  expect(changesOf(stored, values)).toEqual({});
  expect(changesOf(stored, { ...values, notes: ' ' })).toEqual({ notes: null });
  expect(changesOf(stored, { ...values, mode: 'api_token', api_key: 't' })).toEqual({
    mode: 'api_token',
    api_key: 't',
  });
});
