import type { Channel } from '@vigie/contracts/channels';

/** A channel that mails every incident to all administrators at once. */
export const aChannel = (fields: Partial<Channel> = {}): Channel => ({
  id: '019dc4a4-7c1f-7b6e-9f3a-2f0d4c5b6a79',
  kind: 'mail',
  is_shared: true,
  host: null,
  has_secret: false,
  name: 'Astreinte',
  is_enabled: true,
  min_severity: 'warning',
  group_ids: null,
  quiet_from: null,
  quiet_to: null,
  time_zone: 'Europe/Paris',
  delay_minutes: 0,
  digest_at: null,
  emails: [],
  chat_id: null,
  last_delivery: null,
  created_at: '2026-11-29T03:12:00.000Z',
  ...fields,
});
