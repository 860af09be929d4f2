import { z } from 'zod';
import { contract } from './contract';
import { Message, email, newPassword, typedPassword } from './text';

const missingNew = 'Veuillez saisir un nouveau mot de passe.';

/** Counts the passkeys that still open the account: a new password leaves them. */
const ChangedPassword = Message.extend({ passkey_count: z.int().default(0) });

export const ChangePassword = z
  .object({
    current_password: typedPassword('Veuillez saisir votre mot de passe actuel.'),
    new_password: newPassword(missingNew),
    confirm_password: z.string().max(256),
  })
  .refine(({ new_password: chosen, confirm_password: confirmation }) => chosen === confirmation, {
    message: 'La confirmation ne correspond pas au nouveau mot de passe.',
    path: ['confirm_password'],
  })
  .refine(({ current_password: current, new_password: chosen }) => current !== chosen, {
    message: 'Le nouveau mot de passe doit être différent de l’actuel.',
    path: ['new_password'],
  });
export type ChangePassword = z.infer<typeof ChangePassword>;

export const changePassword = contract('auth.passwords.change', {
  http: 'POST /api/auth/change_password',
  access: 'user',
  changes: ['sessions'],
  input: ChangePassword,
  output: ChangedPassword,
  sealed: { reader: 'auth-svc', fields: ['current_password', 'new_password', 'confirm_password'] },
  timeoutMs: 15_000,
});

export const ForgotPassword = z.object({ email: email('Veuillez saisir votre email.') });

export const forgotPassword = contract('auth.passwords.forgot', {
  http: 'POST /api/auth/forgot',
  access: 'public',
  input: ForgotPassword,
  output: Message,
});

export const ResetPassword = z.object({
  token: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Ce lien n’est pas valide. Demandez-en un nouveau.'),
  password: newPassword(missingNew),
});
export type ResetPassword = z.infer<typeof ResetPassword>;

export const resetPassword = contract('auth.passwords.reset', {
  http: 'POST /api/auth/reset',
  access: 'public',
  input: ResetPassword,
  output: ChangedPassword,
  sealed: { reader: 'auth-svc', fields: ['token', 'password'] },
  timeoutMs: 15_000,
});
