import { PasswordField } from '../ui/PasswordField';
import type { Secrets } from './access';

type Props = {
  form: {
    values: Secrets;
    errors: { password?: string };
    change: (changes: { password: string }) => void;
    leave: (field: 'password') => void;
  };
  /** There is one that nobody sees again. */
  isStored: boolean;
  /** The one that is stored does not open what the form says now. */
  isMoved: boolean;
};

const moved =
  'L’adresse a changé\u00a0: le mot de passe enregistré ne vaut que pour l’ancienne. Saisissez-le de nouveau.';

/** The password of a server or a site; empty, it keeps the one there is. */
export function AccessPassword({ form: { values, errors, change, leave }, isStored, isMoved }: Props) {
  const isKept = isStored && !isMoved;
  const kept = isKept ? 'Laissez vide pour garder le mot de passe enregistré.' : undefined;
  return (
    <PasswordField
      name="password"
      label="Mot de passe"
      autoComplete="new-password"
      placeholder={isKept ? '••••••••' : undefined}
      hint={isMoved && !errors.password ? moved : kept}
      value={values.password}
      error={errors.password}
      onChange={(password) => change({ password })}
      onLeave={() => leave('password')}
    />
  );
}
