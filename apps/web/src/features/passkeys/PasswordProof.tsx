import { AccountHint } from '../../kit/form/AccountHint';
import { PasswordField } from '../../kit/form/PasswordField';
import type { FieldProps } from '../../kit/form/useDraftForm';

type Props = { email: string; hint: string; field: FieldProps };

/** Asks for the password again, so that a stolen session can neither add a passkey nor delete one. */
export const PasswordProof = ({ email, hint, field }: Props) => (
  <>
    <AccountHint email={email} />
    <PasswordField label="Mot de passe" hint={hint} autoComplete="current-password" {...field} />
  </>
);
