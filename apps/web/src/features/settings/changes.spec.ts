import { describe, expect, it } from 'vitest';
import { changesOf, checkChanges, valuesOf } from './changes';

const stored = valuesOf({
  app_name: 'Vigie',
  logo_light_b64: 'data:image/png;base64,AAAA',
  logo_dark_b64: null,
  default_sender_email: 'vigie@host',
  require_2fa: 'off',
});

describe('changesOf', () => {
  it('is empty while only surrounding spaces differ', () => {
    expect(changesOf(stored, { ...stored, app_name: ' Vigie ' })).toEqual({});
  });

  it('has only the changed fields, with null for a removed value', () => {
    expect(changesOf(stored, { ...stored, logo_light_b64: null, default_sender_email: ' ' })).toEqual({
      logo_light_b64: null,
      default_sender_email: null,
    });
    expect(changesOf(stored, { ...stored, require_2fa: 'all' })).toEqual({ require_2fa: 'all' });
  });
});

describe('checkChanges', () => {
  it('marks invalid fields with the sentences of the contract', () => {
    expect(checkChanges({ app_name: '', default_sender_email: 'nobody', require_2fa: 'all' })).toEqual({
      app_name: 'Le nom de l’application ne peut pas être vide.',
      default_sender_email: 'Cette adresse email n’est pas valide.',
    });
    expect(checkChanges({ logo_dark_b64: null })).toEqual({});
  });
});
