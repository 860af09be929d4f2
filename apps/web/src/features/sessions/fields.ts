import { ForgotPassword, ResetPassword } from '@vigie/contracts/passwords';
import type { z } from 'zod';

export type Credentials = Record<'email' | 'password', string>;
export type FieldErrors = Partial<Credentials>;

export type NewPassword = Record<'password' | 'confirmation', string>;
export type NewPasswordErrors = Partial<NewPassword>;

/** Finds the errors that need no request. */
export function checkCredentials({ email, password }: Credentials): FieldErrors {
  const errors: FieldErrors = {};
  const error = checkEmail(email);
  if (error !== undefined) errors.email = error;
  if (password === '') errors.password = 'Veuillez saisir votre mot de passe.';
  return errors;
}

export const checkEmail = (email: string): string | undefined => errorOf(ForgotPassword.shape.email, email);

export function checkNewPassword({ password, confirmation }: NewPassword): NewPasswordErrors {
  const errors: NewPasswordErrors = {};
  const error = errorOf(ResetPassword.shape.password, password);
  if (error !== undefined) errors.password = error;
  else if (confirmation !== password)
    errors.confirmation = 'La confirmation ne correspond pas au nouveau mot de passe.';
  return errors;
}

export const isResetToken = (token: string | undefined): token is string =>
  errorOf(ResetPassword.shape.token, token) === undefined;

export const errorOf = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value).error?.issues[0]?.message;
