import { Box, Button, Stack } from '@mantine/core';
import { type AdminUser, EditUser } from '@vigie/contracts/users';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { PasswordField } from '../../kit/form/PasswordField';
import { toast } from '../../ui/toasts';
import { nameOf } from '../../kit/fleet/users';
import { usersApi } from './users.api';

const blank = { password: '' };
const checkPassword = ({ password }: typeof blank) =>
  password === '' ? {} : schemaErrors(EditUser.pick({ password: true }), { password });

/** Enter sends the password; an empty one is never sent, as the specification says. */
export function PasswordReset({ user }: { user: AdminUser }) {
  const [editUser, { isLoading }] = usersApi.useEditUserMutation();
  const form = useDraftForm({ name: `password-${user.id}`, initial: blank, secrets: blank, validate: checkPassword });
  const reset = async ({ password }: typeof blank) => {
    if (password === '' || isLoading) return;
    const { error } = await editUser({ id: user.id, password });
    if (error) return form.refuse('password', sentenceOf(error));
    form.clearSent({ password });
    toast.success(`Mot de passe de ${nameOf(user)} réinitialisé. Ses sessions ouvertes sont fermées.`);
  };
  return (
    <Box component="form" w="100%" maw={320} noValidate onSubmit={form.submit(reset)}>
      <Stack gap={8}>
        <PasswordField
          label="Nouveau mot de passe"
          autoComplete="new-password"
          hint="8 caractères au moins. Entrée pour valider."
          {...form.field('password')}
          name={`password-${user.id}`}
        />
        <Button type="submit" variant="default" loading={isLoading} style={{ alignSelf: 'flex-start' }}>
          Réinitialiser le mot de passe
        </Button>
      </Stack>
    </Box>
  );
}
