import { Box, Button, Group, Stack } from '@mantine/core';
import { Failure } from '../../ui/Failure';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { type CallState, sentenceOf } from '../../kit/query/failures';
import { AccountHint } from '../../kit/form/AccountHint';
import { PasswordField } from '../../kit/form/PasswordField';
import { useFocusOnMount } from '../../ui/focus';

export type PasswordFormProps = {
  email: string;
  label?: string;
  emptyError?: string;
  action: string;
  isDangerous?: boolean;
  cancelLabel?: string;
  call: CallState;
  onSubmit: (password: string) => void;
  onCancel: () => void;
};

const blank = { password: '' };

/** Asks for the password again, so that a stolen session cannot change the second factor. */
export function PasswordForm({ email, action, isDangerous, call, ...props }: PasswordFormProps) {
  const { label = 'Mot de passe', emptyError = 'Veuillez saisir votre mot de passe', cancelLabel = 'Annuler' } = props;
  const field = useFocusOnMount<HTMLInputElement>();
  const form = useDraftForm({
    name: 'confirm-password',
    initial: blank,
    secrets: blank,
    validate: ({ password }) => (password.trim() === '' ? { password: emptyError } : {}),
  });
  const submit = form.submit(({ password }) => {
    if (!call.isLoading) props.onSubmit(password);
  });
  return (
    <Box component="form" w="100%" maw={400} noValidate method="post" onSubmit={submit}>
      <Stack>
        <Failure sentence={sentenceOf(call.error)} />
        <AccountHint email={email} />
        <PasswordField ref={field} label={label} autoComplete="current-password" {...form.field('password')} />
        <Group gap={8}>
          <Button type="submit" loading={call.isLoading} {...(isDangerous && { color: 'danger' })}>
            {action}
          </Button>
          <Button variant="default" onClick={props.onCancel}>
            {cancelLabel}
          </Button>
        </Group>
      </Stack>
    </Box>
  );
}
