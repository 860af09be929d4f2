import { Login } from '@vigie/contracts/sessions';

export type Credentials = Record<'email' | 'password', string>;
export type FieldErrors = Partial<Credentials>;

/** What can be said before the server is asked. */
export function checkCredentials({ email, password }: Credentials): FieldErrors {
  const address = Login.shape.email.safeParse(email);
  const errors: FieldErrors = {};
  if (email.trim() === '') errors.email = 'Veuillez saisir votre email.';
  else if (!address.success) errors.email = address.error.issues[0]?.message ?? 'Cette adresse email n’est pas valide.';
  if (password === '') errors.password = 'Veuillez saisir votre mot de passe.';
  return errors;
}
