import { Button, Stack, Text } from '@mantine/core';
import { ChangePassword } from '@vigie/contracts/passwords';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
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

/** The server closes the user's other sessions once the password has changed. */
export function ChangePasswordForm({ email }: { email: string }) {
  const [changePassword, { isLoading, error }] = passwordsApi.useChangePasswordMutation();
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
    toast.success(data.message);
  };
  return (
    <form noValidate method="post" onSubmit={form.submit(save)}>
      <Stack gap={12}>
        <h3>Changer le mot de passe</h3>
        <Text c="muted" mt={-8}>
          Vos autres sessions seront fermées.
        </Text>
        <Failure sentence={sentenceOf(error)} />
        <input hidden readOnly type="email" name="email" aria-label="Email" autoComplete="username" value={email} />
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
