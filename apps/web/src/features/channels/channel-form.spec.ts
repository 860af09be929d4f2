import { expect, it } from 'vitest';
import { channelErrors, type ChannelValues, requestOf, valuesOf } from './channel-form';

const values = (fields: Partial<ChannelValues>): ChannelValues => ({
  ...valuesOf(undefined),
  name: 'Astreinte',
  ...fields,
});
const errors = (fields: Partial<ChannelValues>, isNew = true) => channelErrors(values(fields), isNew);

it('sends what the kind has, and nothing of another kind', () => {
  const typed = {
    url: ' https://exemple.fr/x ',
    secret: 's',
    chat_id: '-1',
    emails: 'a@vigie.test;  b@vigie.test',
    digest_at: '08:00',
  };
  expect(requestOf(values({ ...typed, kind: 'mail' }))).toMatchObject({
    emails: ['a@vigie.test', 'b@vigie.test'],
    digest_at: '08:00',
    chat_id: null,
  });
  expect(requestOf(values({ ...typed, kind: 'mail' }))).not.toHaveProperty('url');
  const slack = requestOf(values({ ...typed, kind: 'slack' }));
  expect(slack).toMatchObject({ url: 'https://exemple.fr/x', emails: [], digest_at: null });
  expect(slack).not.toHaveProperty('secret');
  expect(requestOf(values({ ...typed, kind: 'telegram' }))).toMatchObject({ secret: 's', chat_id: '-1' });
});

it('sends no rules of a sign of life, whatever was typed for another kind', () => {
  const typed = { delay_minutes: 'bientôt', quiet_from: '22:00', scope: 'groups', digest_at: '08:00' } as const;
  const fields = { ...typed, kind: 'heartbeat', url: 'https://exemple.fr/x' } as const;
  expect(requestOf(values(fields))).toMatchObject({
    min_severity: null,
    group_ids: null,
    delay_minutes: 0,
    quiet_from: null,
  });
  expect(errors(fields)).toEqual({});
  expect(Object.keys(errors({ kind: 'heartbeat' }))).toEqual(['url']);
});

it('accepts a mail to everybody without more', () => {
  expect(errors({})).toEqual({});
});

it('names the field that is missing', () => {
  expect(Object.keys(errors({ name: ' ' }))).toEqual(['name']);
  expect(Object.keys(errors({ kind: 'webhook' }))).toEqual(['url']);
  expect(Object.keys(errors({ kind: 'webhook', url: 'exemple.fr' }))).toEqual(['url']);
  expect(Object.keys(errors({ kind: 'telegram', chat_id: '-1' }))).toEqual(['secret']);
  expect(Object.keys(errors({ kind: 'telegram', secret: 's' }))).toEqual(['chat_id']);
  expect(Object.keys(errors({ emails: 'personne' }))).toEqual(['emails']);
  expect(Object.keys(errors({ scope: 'groups' }))).toEqual(['group_ids']);
  expect(Object.keys(errors({ quiet_from: '22:00' }))).toEqual(['quiet_to']);
  expect(Object.keys(errors({ time_zone: 'Paris' }))).toEqual(['time_zone']);
  expect(Object.keys(errors({ min_severity: 'none' }))).toEqual(['min_severity']);
  expect(errors({ delay_minutes: 'bientôt' })).toEqual({
    delay_minutes: 'Écrivez un nombre de minutes, 0 pour ne pas attendre.',
  });
  const wrong = { delay_minutes: '-5', quiet_from: '22:00', time_zone: 'Paris', scope: 'groups' } as const;
  expect(Object.keys(errors(wrong)).toSorted()).toEqual(['delay_minutes', 'group_ids', 'quiet_to', 'time_zone']);
});

it('checks no field of incidents for a channel that sends the summary alone', () => {
  expect(errors({ min_severity: 'none', digest_at: '08:00', delay_minutes: 'x', scope: 'groups' })).toEqual({});
});

it('keeps the stored address and secret of a channel that is edited', () => {
  expect(errors({ kind: 'webhook' }, false)).toEqual({});
  expect(errors({ kind: 'telegram', chat_id: '-1' }, false)).toEqual({});
  expect(Object.keys(errors({ kind: 'telegram' }, false))).toEqual(['chat_id']);
  expect(Object.keys(errors({ scope: 'groups' }, false))).toEqual(['group_ids']);
});
