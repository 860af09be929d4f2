import { Button } from '@mantine/core';
import { type AdminUser, EditUser } from '@vigie/contracts/users';
import { type FormEvent, useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { PasswordField } from '../../kit/form/PasswordField';
import { toast } from '../../ui/toasts';
import styles from './PasswordReset.module.css';
import { nameOf } from '../../kit/fleet/users';
import { usersApi } from './users.api';

/** Enter sends the password; an empty one is never sent, as the specification says. */
export function PasswordReset({ user }: { user: AdminUser }) {
  const [editUser, { isLoading }] = usersApi.useEditUserMutation();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const reset = async () => {
    const parsed = EditUser.shape.password.safeParse(password);
    if (!parsed.success) return setError(parsed.error.issues[0]?.message);
    const { error: refusal } = await editUser({ id: user.id, password });
    if (refusal) return setError(reportFailure(refusal, 'Réinitialisation impossible.'));
    // The user may have typed another password while this one was being saved.
    setPassword((current) => (current === password ? '' : current));
    toast.success(`Mot de passe de ${nameOf(user)} réinitialisé. Ses sessions ouvertes sont fermées.`);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password !== '' && !isLoading) void reset();
  };
  return (
    <form noValidate onSubmit={submit} className={styles['form']}>
      <PasswordField
        name={`password-${user.id}`}
        label="Nouveau mot de passe"
        autoComplete="new-password"
        hint="8 caractères au moins. Entrée pour valider."
        value={password}
        error={error}
        onChange={(value) => {
          setPassword(value);
          setError(undefined);
        }}
      />
      <Button type="submit" variant="default" loading={isLoading}>
        Réinitialiser le mot de passe
      </Button>
    </form>
  );
}
