import { aDomain } from '@vigie/testing/registry';
import { describe, expect, it } from 'vitest';
import { toDomainAnswer } from './domain-answer';

const answer = (body: unknown, status = 200, retryAfter?: number) =>
  toDomainAnswer('boutique.fr', { status, retryAfter, body });

const bare = { objectClassName: 'domain' };

describe('what a registry says of a domain', () => {
  it('has the day of its end and the registrar', () => {
    expect(answer(aDomain('boutique.fr', '2027-03-03T10:00:00+01:00', 'OVH\u202e SAS'))).toEqual({
      state: 'known',
      phase: 'usual',
      expires_at: '2027-03-03T09:00:00.000Z',
      registrar: 'OVH SAS',
      error: null,
      retry_after: null,
    });
  });

  it.each(['1999-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2027-03-03'])('is taken as told: %s', (date) => {
    expect(answer(aDomain('boutique.fr', date))).toMatchObject({ state: 'known' });
  });

  it.each(['bientôt', 'version 2 of 2027', '2027-13-45T00:00:00Z', '2027-02-30', '0001-01-01T00:00:00Z', ''])(
    'is a failure with the date "%s"',
    (date) => {
      expect(answer(aDomain('boutique.fr', date))).toMatchObject({
        state: 'failed',
        error: 'La date de fin que donne le registre est illisible.',
      });
    },
  );

  it.each([undefined, null, [], {}, 'texte', { ...bare, events: 'non' }, { ...bare, events: [{ eventAction: 1 }] }])(
    'is a failure where it is %j',
    (body) => {
      expect(answer(body)).toMatchObject({ state: 'failed', error: 'La réponse du registre est illisible.' });
    },
  );

  it('is in UTC where it names no zone', () => {
    expect(answer(aDomain('boutique.fr', '2027-03-03T10:00:00'))).toMatchObject({
      expires_at: '2027-03-03T10:00:00.000Z',
    });
  });

  it.each([
    ['auto renew period', 'renewing'],
    ['autoRenewPeriod', 'renewing'],
    ['redemption period', 'lapsed'],
    ['pendingDelete', 'lapsed'],
    ['client transfer prohibited', 'usual'],
  ])('that is in "%s" is %s', (status, phase) => {
    const body = { ...aDomain('boutique.fr', '2027-03-03T10:00:00Z'), status: ['active', status] };
    expect(answer(body)).toMatchObject({ phase });
  });

  it('may write the name by its letters', () => {
    const body = { ...aDomain('x', '2027-03-03T10:00:00Z'), ldhName: 'café.fr' };
    expect(toDomainAnswer('xn--caf-dma.fr', { status: 200, retryAfter: undefined, body })).toMatchObject({
      state: 'known',
    });
  });

  it('is about this domain and no other', () => {
    expect(answer(aDomain('autre.fr', '2027-03-03T10:00:00Z'))).toMatchObject({
      state: 'failed',
      error: 'Le registre a répondu pour un autre domaine.',
    });
  });

  it('may leave out the end, the registrar and nearly everything', () => {
    expect(answer(bare)).toMatchObject({ state: 'unknown', error: 'Le registre ne publie pas de date de fin.' });
    const { events } = aDomain('boutique.fr', '2027-03-03T10:00:00Z');
    expect(answer({ ...bare, events, entities: [null, { roles: ['registrar'] }] })).toMatchObject({ registrar: null });
  });

  it('is unknown for a domain that it does not have, and a failure with any other status', () => {
    expect(answer({}, 404)).toMatchObject({ state: 'unknown' });
    expect(answer({}, 500)).toMatchObject({ state: 'failed', error: 'Le registre répond HTTP\u00a0500.' });
  });

  it('may ask to wait, for a day at most', () => {
    expect(answer({}, 429, 90.2)).toMatchObject({ state: 'failed', retry_after: 91 });
    expect(answer({}, 503, 1e12)).toMatchObject({ retry_after: 86_400 });
    expect(answer({}, 429)).toMatchObject({ retry_after: 3_600 });
    expect(answer({}, 403)).toMatchObject({ retry_after: 3_600 });
    expect(answer({}, 500)).toMatchObject({ retry_after: null });
  });
});
