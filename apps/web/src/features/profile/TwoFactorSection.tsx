import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Failure } from '../../ui/Failure';
import { PasswordField } from '../../ui/PasswordField';
import { plural } from '../../ui/plural';
import { toast } from '../../ui/toasts';
import styles from './ProfileDrawer.module.css';
import { profileApi } from './profile.api';
import { useFailure } from './useFailure';

function DisableForm() {
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string>();
  const [disable, { isLoading }] = profileApi.useProfileDisableTwoFactorMutation();
  const { failure, fail, forget } = useFailure('Échec de la désactivation 2FA');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    forget();
    const isEmpty = password.trim() === '';
    setFault(isEmpty ? 'Mot de passe requis' : undefined);
    if (isEmpty) return;
    const { data, error } = await disable({ password });
    if (!data) return fail(error);
    toast.success(data.message);
  };
  return (
    <form noValidate method="post" className={styles['form']} onSubmit={(event) => void submit(event)}>
      <Failure sentence={failure} />
      <PasswordField
        name="disable_password"
        label="Mot de passe pour désactiver la 2FA"
        autoComplete="current-password"
        value={password}
        error={fault}
        onChange={setPassword}
      />
      <Button type="submit" variant="default" color="danger" loading={isLoading}>
        Désactiver la 2FA
      </Button>
    </form>
  );
}

export function TwoFactorSection() {
  const { data: status, error } = profileApi.useProfileTwoFactorQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <>
      {error !== undefined && (
        <p className={styles['note']}>L’état de la double authentification n’a pas pu être lu.</p>
      )}
      {status && (
        <p>
          {'Double authentification\u00a0: '}
          <strong>{status.enabled ? 'Activée' : 'Désactivée'}</strong>
          {status.enabled && ` · ${plural(status.backup_codes_count, 'code de récupération', 'codes de récupération')}`}
        </p>
      )}
      <p>
        <Link to="/security/2fa">Gérer la double authentification</Link>
      </p>
      {status?.enabled && !status.is_required && <DisableForm />}
      {status?.enabled && status.is_required && (
        <p className={styles['note']}>Les réglages de l’application l’exigent : elle ne peut pas être désactivée.</p>
      )}
    </>
  );
}
