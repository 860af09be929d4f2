import { Button, Stack } from '@mantine/core';
import { PasswordField } from '../../kit/form/PasswordField';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { FailureNote } from './FailureNote';
import type { Failure } from './failure';
import { checkNewPassword, type NewPassword } from './fields';
import { useDraftForm } from '../../kit/form/useDraftForm';

const blank: NewPassword = { password: '', confirmation: '' };
const fields = ['password', 'confirmation'] as const;
const labels = { password: 'Nouveau mot de passe', confirmation: 'Confirmation' };

type Props = { failure: Failure | undefined; isSending: boolean; onSubmit: (password: string) => void };

export function NewPasswordForm({ failure, isSending, onSubmit }: Props) {
  const form = useDraftForm({
    name: 'new-password',
    checksOnLeave: 'filled',
    initial: blank,
    secrets: blank,
    validate: checkNewPassword,
  });
  const passwordField = useFocusOnMount<HTMLInputElement>();
  return (
    <form noValidate method="post" onSubmit={form.submit(({ password }) => onSubmit(password))}>
      <Stack>
        <FailureNote failure={failure} />
        {fields.map((name) => (
          <PasswordField
            key={name}
            {...(name === 'password' && { ref: passwordField, hint: '8 caractères au moins' })}
            label={labels[name]}
            autoComplete="new-password"
            {...form.field(name)}
          />
        ))}
        <Button type="submit" loading={isSending} mt={8}>
          Enregistrer le mot de passe
        </Button>
      </Stack>
    </form>
  );
}
