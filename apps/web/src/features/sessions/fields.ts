import { ForgotPassword, ResetPassword } from '@vigie/contracts/passwords';
import { type FormErrors, schemaErrors } from '../../kit/form/errors';

export type Credentials = Record<'email' | 'password', string>;
export type NewPassword = Record<'password' | 'confirmation', string>;

export const checkEmail = (values: { email: string }): { email?: string } => schemaErrors(ForgotPassword, values);

/** Finds the errors that need no request. */
export const checkCredentials = (values: Credentials): FormErrors<Credentials> => ({
  ...checkEmail(values),
  ...(values.password === '' && { password: 'Veuillez saisir votre mot de passe.' }),
});

export function checkNewPassword({ password, confirmation }: NewPassword): FormErrors<NewPassword> {
  const refusals: FormErrors<NewPassword> = schemaErrors(ResetPassword.pick({ password: true }), { password });
  if (refusals.password !== undefined || confirmation === password) return refusals;
  return { confirmation: 'La confirmation ne correspond pas au nouveau mot de passe.' };
}
