import { Button, Stack, Text, Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type AdminUser, EditUser } from '@vigie/contracts/users';
import { type ReactNode, useId, useState } from 'react';
import { useUser, nameOf } from '../../kit/fleet/users';
import { Callout } from '../../ui/Callout';
import { Fact, FactList } from '../../ui/FactList';
import { useFocusHandOver } from '../../ui/focus';
import { plural } from '../../ui/plural';
import { TimeAgo } from '../../ui/TimeAgo';
import { DeleteUser, ResetTwoFactor } from './dialogs';
import styles from './users.module.css';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { PasswordField } from '../../kit/form/PasswordField';
import { toast } from '../../ui/toasts';
import { usersApi } from './users.api';

const blank = { password: '' };
const checkPassword = ({ password }: typeof blank) =>
  password === '' ? {} : schemaErrors(EditUser.pick({ password: true }), { password });

const describeLeft = (count: number) =>
  `${plural(count, 'clé d’accès ouvre', 'clés d’accès ouvrent')} encore ce compte. Réinitialisez aussi sa 2FA si quelqu’un d’autre a pu en ajouter.`;

/** Enter sends the password; an empty one is never sent, as the specification says. */
function PasswordReset({ user }: { user: AdminUser }) {
  const [editUser, { isLoading }] = usersApi.useEditUserMutation();
  const [passkeysLeft, setPasskeysLeft] = useState(0);
  const form = useDraftForm({ name: `password-${user.id}`, initial: blank, secrets: blank, validate: checkPassword });
  const reset = async ({ password }: typeof blank) => {
    if (password === '' || isLoading) return;
    const { data, error } = await editUser({ id: user.id, password });
    if (error) return form.refuse('password', sentenceOf(error));
    form.clearSent({ password });
    setPasskeysLeft(data.passkey_count);
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
        <Button type="submit" variant="default" loading={isLoading} w="fit-content">
          Réinitialiser le mot de passe
        </Button>
        <output>{passkeysLeft > 0 && <Callout tone="warn">{describeLeft(passkeysLeft)}</Callout>}</output>
      </Stack>
    </Box>
  );
}

function AccountSection({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <Stack component="section" align="flex-start" gap={8} c="muted" aria-labelledby={heading}>
      <Text component="h2" fz={14} fw={600} c="var(--text)" id={heading}>
        {title}
      </Text>
      {children}
    </Stack>
  );
}

function Password({ user, isOwn }: { user: AdminUser; isOwn: boolean }) {
  if (!isOwn) return <PasswordReset user={user} />;
  return (
    <p>
      Le vôtre se change dans{' '}
      <Link to="." search={(search: object) => ({ ...search, panel: 'profile' as const })}>
        votre profil
      </Link>
      .
    </p>
  );
}

function TwoFactor({ user, isOwn }: { user: AdminUser; isOwn: boolean }) {
  const [isConfirming, setConfirming] = useState(false);
  if (isOwn) {
    return (
      <p>
        La vôtre se règle dans <Link to="/security/2fa">Sécurité 2FA</Link>.
      </p>
    );
  }
  if (!user.has_2fa) return <p>Ce compte n’a pas activé sa 2FA.</p>;
  return (
    <>
      <p>À faire si cette personne a perdu son téléphone et ses codes de récupération.</p>
      <Button variant="default" onClick={() => setConfirming(true)}>
        Réinitialiser la 2FA
      </Button>
      {isConfirming && <ResetTwoFactor user={user} onClose={() => setConfirming(false)} />}
    </>
  );
}

function Deletion({ user, isOwn }: { user: AdminUser; isOwn: boolean }) {
  const [isConfirming, setConfirming] = useState(false);
  const reason = useId();
  return (
    <>
      <p id={reason}>
        {isOwn
          ? 'Vous ne pouvez pas supprimer votre propre compte.'
          : 'Ses sites, serveurs, groupes et uploads vous seront attribués.'}
      </p>
      <Button
        variant="default"
        color="danger"
        disabled={isOwn}
        aria-describedby={reason}
        aria-label={`Supprimer le compte de ${nameOf(user)}`}
        onClick={() => setConfirming(true)}
      >
        Supprimer le compte
      </Button>
      {isConfirming && <DeleteUser user={user} onClose={() => setConfirming(false)} />}
    </>
  );
}

function AccountFacts({ user }: { user: AdminUser }) {
  return (
    <FactList>
      <Fact name="Email">{user.email}</Fact>
      <Fact name="Dernière connexion">{user.last_login_at ? <TimeAgo at={user.last_login_at} /> : 'Jamais'}</Fact>
      <Fact name="Création du compte">
        <TimeAgo at={user.created_at} />
      </Fact>
    </FactList>
  );
}

/** The rare actions on an account, below its row. */
export function AccountPanel({ user }: { user: AdminUser }) {
  const panel = useFocusHandOver<HTMLDivElement>();
  const isOwn = useUser()?.id === user.id;
  return (
    <div ref={panel} className={styles['account']}>
      <AccountFacts user={user} />
      <AccountSection title="Mot de passe">
        <Password user={user} isOwn={isOwn} />
      </AccountSection>
      <AccountSection title="Double authentification">
        <TwoFactor user={user} isOwn={isOwn} />
      </AccountSection>
      <AccountSection title="Suppression">
        <Deletion user={user} isOwn={isOwn} />
      </AccountSection>
    </div>
  );
}
