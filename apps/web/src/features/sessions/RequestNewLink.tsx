import { Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Callout } from '../../ui/Callout';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { EmailField } from './EmailField';
import { FailureNote } from './FailureNote';
import { checkEmail } from './fields';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { useForgotPassword } from './useForgotPassword';

/** Says why a reset link does not work, and sends a new one. */
export function RequestNewLink({ sentence }: { sentence: string }) {
  const { send, failure, answer, isSending } = useForgotPassword();
  const form = useDraftForm({
    name: 'reset-link',
    checksOnLeave: 'filled',
    initial: { email: '' },
    validate: checkEmail,
  });
  const emailField = useFocusOnMount<HTMLInputElement>();
  const submit = form.submit(({ email }) => {
    if (!isSending) void send(email);
  });
  return (
    <form noValidate method="post" onSubmit={submit}>
      <Stack>
        {answer === undefined && failure === undefined && (
          <div role="alert">
            <Callout tone="danger">{sentence}</Callout>
          </div>
        )}
        <FailureNote failure={failure} />
        <output>{answer !== undefined && <Callout tone="ok">{answer}</Callout>}</output>
        <EmailField ref={emailField} {...form.field('email')} />
        <Group gap={8} mt={8} wrap="nowrap">
          <Button type="submit" loading={isSending} flex={1}>
            Recevoir un nouveau lien
          </Button>
          <Button variant="default" component={Link} to="/login">
            Connexion
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
