import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChangePassword } from '@vigie/contracts/passwords';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { AccountHint } from '../../kit/form/AccountHint';
import { PasswordField } from '../../kit/form/PasswordField';
import { toast } from '../../ui/toasts';
import { passwordsApi } from './passwords.api';

const blank: ChangePassword = { current_password: '', new_password: '', confirm_password: '' };
const fields = ['current_password', 'new_password', 'confirm_password'] as const;
type Field = (typeof fields)[number];

const texts: Record<Field, { label: string; hint?: string }> = {
  current_password: { label: 'Mot de passe actuel' },
  new_password: { label: 'Nouveau mot de passe', hint: '8 caractères au moins' },
  confirm_password: { label: 'Confirmation du nouveau mot de passe' },
};

const checkPasswords = (values: ChangePassword) => schemaErrors(ChangePassword, values);

/** A new password leaves the passkeys, of which somebody else may have added one. */
const PasskeysLeft = ({ sentence }: { sentence: string }) => (
  <Callout tone="warn">
    {sentence} <Link to="/security/2fa">Voir les clés d’accès</Link>
  </Callout>
);

function usePasswordChange() {
  const [changePassword, { data: answer, isLoading, error }] = passwordsApi.useChangePasswordMutation();
  const form = useDraftForm({
    name: 'change-password',
    checksOnLeave: 'filled',
    initial: blank,
    secrets: blank,
    validate: checkPasswords,
  });
  const save = async (values: ChangePassword): Promise<void> => {
    if (isLoading) return;
    const { data } = await changePassword(values);
    if (!data) return;
    form.clearSent(values);
    // What still opens the account stays on the screen.
    if (data.passkey_count === 0) toast.success(data.message);
  };
  return { form, save, answer, isLoading, error };
}

/** The server closes the user's other sessions once the password has changed. */
export function ChangePasswordForm({ email }: { email: string }) {
  const { form, save, answer, isLoading, error } = usePasswordChange();
  return (
    <form noValidate method="post" onSubmit={form.submit(save)}>
      <Stack gap={12}>
        <h3>Changer le mot de passe</h3>
        <Text c="muted" mt={-8}>
          Vos autres sessions seront fermées.
        </Text>
        <Failure sentence={sentenceOf(error)} />
        <output>
          {answer !== undefined && answer.passkey_count > 0 && <PasskeysLeft sentence={answer.message} />}
        </output>
        <AccountHint email={email} />
        {fields.map((name) => (
          <PasswordField
            key={name}
            {...texts[name]}
            autoComplete={name === 'current_password' ? 'current-password' : 'new-password'}
            {...form.field(name)}
          />
        ))}
        <Button type="submit" variant="default" loading={isLoading} w="fit-content">
          Changer le mot de passe
        </Button>
      </Stack>
    </form>
  );
}
