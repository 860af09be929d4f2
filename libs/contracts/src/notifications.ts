import { z } from 'zod';
import { contract } from './contract';
import { email, id, timestamp } from './text';

export const NotificationSettings = z.object({
  has_sendgrid_key: z.boolean(),
  sendgrid_key_updated_at: timestamp.nullable(),
  /** How mails are sent; null when nothing is configured. */
  transport: z.enum(['sendgrid', 'smtp']).nullable(),
  default_sender_email: z.string().nullable(),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

/** `''` keeps the current key, null deletes it. */
export const SaveNotifications = z.object({
  sendgrid_api_key: z
    .string()
    .max(256)
    .refine(
      (key) => /^[\x21-\x7e]*$/.test(key.trim()),
      'Cette clé contient des caractères qu’une clé SendGrid n’a pas.',
    )
    .transform((key) => key.trim())
    .nullish(),
});
export type SaveNotifications = z.infer<typeof SaveNotifications>;

export const readNotifications = contract('auth.notifications.read', {
  http: 'GET /api/settings/notifications',
  access: 'user',
  scope: 'read',
  reads: ['notifications'],
  input: z.object({}),
  output: NotificationSettings,
});

export const saveNotifications = contract('auth.notifications.save', {
  http: 'POST /api/settings/notifications',
  access: 'admin',
  changes: ['notifications'],
  input: SaveNotifications,
  output: NotificationSettings,
  sealed: { reader: 'auth-svc', fields: ['sendgrid_api_key'] },
});

export const TestNotifications = z.object({ from: email('Renseignez une adresse expéditeur valide.').nullish() });
export type TestNotifications = z.infer<typeof TestNotifications>;

export const testNotifications = contract('auth.notifications.test', {
  http: 'POST /api/settings/notifications/test',
  access: 'user',
  input: TestNotifications,
  output: z.object({ message: z.string() }),
  // The mail provider may take 10 s.
  timeoutMs: 15_000,
});

/** An accepted mail: sent, queued for another attempt, or failed with an error for administrators. */
export const Mail = z.object({
  id,
  to: z.string(),
  subject: z.string(),
  state: z.enum(['queued', 'sent', 'failed']),
  attempts: z.int(),
  error: z.string().nullable(),
  created_at: timestamp,
  sent_at: timestamp.nullable(),
});
export type Mail = z.infer<typeof Mail>;

export const listMails = contract('auth.notifications.mails', {
  http: 'GET /api/settings/notifications/mails',
  access: 'admin',
  scope: 'admin',
  input: z.object({}),
  output: z.object({ items: z.array(Mail) }),
});
