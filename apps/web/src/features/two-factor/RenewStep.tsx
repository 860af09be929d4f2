import { PasswordStep } from './PasswordStep';
import { twoFactorApi } from './two-factor.api';
import { useFailure } from './useFailure';

type Props = { email: string; onCancel: () => void; onRenewed: (codes: string[]) => void };

export function RenewStep({ email, onCancel, onRenewed }: Props) {
  const [renew, { isLoading }] = twoFactorApi.useRenewBackupCodesMutation();
  const { failure, fail, clearFailure } = useFailure();
  const send = async (password: string): Promise<void> => {
    clearFailure();
    const { data, error } = await renew({ password });
    if (data) onRenewed(data.backup_codes);
    else fail(error, 'Mot de passe incorrect');
  };
  return (
    <PasswordStep
      title="Générer de nouveaux codes"
      email={email}
      action="Générer de nouveaux codes"
      failure={failure}
      isSending={isLoading}
      onSubmit={(password) => void send(password)}
      onCancel={onCancel}
    >
      Vos codes actuels ne fonctionneront plus.
    </PasswordStep>
  );
}
