import { toast } from '../../ui/toasts';
import { PasswordStep } from './PasswordStep';
import { twoFactorApi } from './two-factor.api';
import { useFailure } from './useFailure';

export function DisableStep({ email, onLeave }: { email: string; onLeave: () => void }) {
  const [disable, { isLoading }] = twoFactorApi.useDisableTwoFactorMutation();
  const { failure, fail, clearFailure } = useFailure();
  const send = async (password: string): Promise<void> => {
    clearFailure();
    const { data, error } = await disable({ password });
    if (!data) return fail(error, 'Mot de passe incorrect');
    toast.success(data.message);
    return onLeave();
  };
  return (
    <PasswordStep
      title="Désactiver la 2FA"
      email={email}
      action="Désactiver la 2FA"
      isDangerous
      failure={failure}
      isSending={isLoading}
      onSubmit={(password) => void send(password)}
      onCancel={onLeave}
    >
      Votre mot de passe suffira pour vous connecter, et vos codes de récupération ne serviront plus.
    </PasswordStep>
  );
}
