import { PasswordField } from './PasswordField';
import type { FieldProps } from './useDraftForm';

type Props = {
  form: {
    field: (name: 'password') => FieldProps;
  };
  /** A password is stored; it is never shown. */
  isStored: boolean;
  /** The address changed, so the stored password no longer applies. */
  hasNewAddress: boolean;
};

const newAddressHint =
  'L’adresse a changé\u00a0: le mot de passe enregistré ne vaut que pour l’ancienne. Saisissez-le de nouveau.';

/** The password of a server or a site; an empty field keeps the stored one. */
export function AccessPassword({ form, isStored, hasNewAddress }: Props) {
  const field = form.field('password');
  const isKept = isStored && !hasNewAddress;
  const keepHint = isKept ? 'Laissez vide pour garder le mot de passe enregistré.' : undefined;
  return (
    <PasswordField
      {...field}
      label="Mot de passe"
      autoComplete="new-password"
      placeholder={isKept ? '••••••••' : undefined}
      hint={hasNewAddress && !field.error ? newAddressHint : keepHint}
    />
  );
}
