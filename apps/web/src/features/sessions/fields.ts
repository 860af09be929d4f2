import { ForgotPassword, ResetPassword } from '@vigie/contracts/passwords';
import type { z } from 'zod';

export type Credentials = Record<'email' | 'password', string>;
export type FieldErrors = Partial<Credentials>;

export type NewPassword = Record<'password' | 'confirmation', string>;
export type NewPasswordErrors = Partial<NewPassword>;

/** What can be said before the server is asked. */
export function checkCredentials({ email, password }: Credentials): FieldErrors {
  const errors: FieldErrors = {};
  const fault = checkEmail(email);
  if (fault !== undefined) errors.email = fault;
  if (password === '') errors.password = 'Veuillez saisir votre mot de passe.';
  return errors;
}

export const checkEmail = (email: string): string | undefined => faultOf(ForgotPassword.shape.email, email);

export function checkNewPassword({ password, confirmation }: NewPassword): NewPasswordErrors {
  const errors: NewPasswordErrors = {};
  const fault = faultOf(ResetPassword.shape.password, password);
  if (fault !== undefined) errors.password = fault;
  else if (confirmation !== password)
    errors.confirmation = 'La confirmation ne correspond pas au nouveau mot de passe.';
  return errors;
}

export const isResetToken = (token: string | undefined): token is string =>
  faultOf(ResetPassword.shape.token, token) === undefined;

export const faultOf = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value).error?.issues[0]?.message;
