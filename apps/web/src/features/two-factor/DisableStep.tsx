import { toast } from '../../ui/toasts';
import { PasswordStep } from './PasswordStep';
import { twoFactorApi } from './two-factor.api';

export function DisableStep({ email, onLeave }: { email: string; onLeave: () => void }) {
  const [disable, call] = twoFactorApi.useDisableTwoFactorMutation();
  const send = async (password: string): Promise<void> => {
    const { data } = await disable({ password });
    if (!data) return;
    toast.success(data.message);
    onLeave();
  };
  return (
    <PasswordStep
      title="Désactiver la 2FA"
      email={email}
      action="Désactiver la 2FA"
      isDangerous
      call={call}
      onSubmit={(password) => void send(password)}
      onCancel={onLeave}
    >
      Votre mot de passe suffira pour vous connecter, et vos codes de récupération ne serviront plus.
    </PasswordStep>
  );
}
