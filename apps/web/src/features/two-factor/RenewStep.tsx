import { PasswordStep } from './PasswordStep';
import { twoFactorApi } from './two-factor.api';

type Props = { email: string; onCancel: () => void; onRenewed: (codes: string[]) => void };

export function RenewStep({ email, onCancel, onRenewed }: Props) {
  const [renew, call] = twoFactorApi.useRenewBackupCodesMutation();
  const send = async (password: string): Promise<void> => {
    const { data } = await renew({ password });
    if (data) onRenewed(data.backup_codes);
  };
  return (
    <PasswordStep
      title="Générer de nouveaux codes"
      email={email}
      action="Générer de nouveaux codes"
      call={call}
      onSubmit={(password) => void send(password)}
      onCancel={onCancel}
    >
      Vos codes actuels ne fonctionneront plus.
    </PasswordStep>
  );
}
