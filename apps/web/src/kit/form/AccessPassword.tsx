import { PasswordField } from './PasswordField';
import type { Credentials } from './credentials';

type Props = {
  form: {
    values: Credentials;
    errors: { password?: string };
    change: (changes: { password: string }) => void;
    leave: (field: 'password') => void;
  };
  /** A password is stored; it is never shown. */
  isStored: boolean;
  /** The address changed, so the stored password no longer applies. */
  hasNewAddress: boolean;
};

const newAddressHint =
  'L’adresse a changé\u00a0: le mot de passe enregistré ne vaut que pour l’ancienne. Saisissez-le de nouveau.';

/** The password of a server or a site; an empty field keeps the stored one. */
export function AccessPassword({ form: { values, errors, change, leave }, isStored, hasNewAddress }: Props) {
  const isKept = isStored && !hasNewAddress;
  const keepHint = isKept ? 'Laissez vide pour garder le mot de passe enregistré.' : undefined;
  return (
    <PasswordField
      name="password"
      label="Mot de passe"
      autoComplete="new-password"
      placeholder={isKept ? '••••••••' : undefined}
      hint={hasNewAddress && !errors.password ? newAddressHint : keepHint}
      value={values.password}
      error={errors.password}
      onChange={(password) => change({ password })}
      onLeave={() => leave('password')}
    />
  );
}
