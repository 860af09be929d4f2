import { expect, it } from 'vitest';
import { channelRefusal, CreateChannel, missingTarget } from './channels';

const rules = {
  min_severity: null,
  group_ids: null,
  quiet_from: null,
  quiet_to: null,
  delay_minutes: 0,
  digest_at: null,
  emails: [],
  chat_id: null,
};
const refused = (fields: Partial<Parameters<typeof channelRefusal>[1]>) =>
  channelRefusal('heartbeat', { ...rules, ...fields })?.field;

it('takes a sign of life with a name and an address alone', () => {
  const form = { kind: 'heartbeat', name: 'Veille', url: 'https://veille.exemple.fr/jeton' } as const;
  expect(CreateChannel.safeParse({ ...form, min_severity: null }).success).toBe(true);
  expect(CreateChannel.safeParse(form).error?.issues).toMatchObject([{ path: ['min_severity'] }]);
  expect(channelRefusal('heartbeat', rules)).toBeUndefined();
  expect(channelRefusal('slack', rules)?.field).toBe('min_severity');
});

it('refuses a sign of life with what messages have', () => {
  expect(refused({ min_severity: 'critical' })).toBe('min_severity');
  expect(refused({ group_ids: ['x'] })).toBe('group_ids');
  expect(refused({ quiet_from: '22:00', quiet_to: '07:00' })).toBe('quiet_to');
  expect(refused({ delay_minutes: 5 })).toBe('delay_minutes');
  expect(refused({ digest_at: '08:00' })).toBe('digest_at');
  expect(refused({ emails: ['a@exemple.fr'] })).toBe('emails');
  expect(refused({ chat_id: '12' })).toBe('chat_id');
  expect(missingTarget('heartbeat', { url: false, secret: false })).toMatchObject({ field: 'url' });
});
