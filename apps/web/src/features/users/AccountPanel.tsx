import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AdminUser } from '@vigie/contracts/users';
import { type ReactNode, useId, useState } from 'react';
import { useUser } from '../../app/useUser';
import { Fact, FactList } from '../../ui/FactList';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { When } from '../../ui/When';
import styles from './AccountPanel.module.css';
import { DeleteUser, ResetTwoFactor } from './dialogs';
import { PasswordReset } from './PasswordReset';
import { nameOf } from './rows';

function Block({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={styles['block']}>
      <h3 id={heading}>{title}</h3>
      {children}
    </section>
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
  const [isAsking, setAsking] = useState(false);
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
      <p>En cas de perte de l’appareil et des codes de récupération.</p>
      <Button variant="default" onClick={() => setAsking(true)}>
        Réinitialiser la 2FA
      </Button>
      {isAsking && <ResetTwoFactor user={user} onClose={() => setAsking(false)} />}
    </>
  );
}

function Deletion({ user, isOwn }: { user: AdminUser; isOwn: boolean }) {
  const [isAsking, setAsking] = useState(false);
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
        onClick={() => setAsking(true)}
      >
        Supprimer le compte
      </Button>
      {isAsking && <DeleteUser user={user} onClose={() => setAsking(false)} />}
    </>
  );
}

function Facts({ user }: { user: AdminUser }) {
  return (
    <FactList className={styles['facts']}>
      <Fact name="Email">{user.email}</Fact>
      <Fact name="Dernière connexion">{user.last_login_at ? <When at={user.last_login_at} /> : 'Jamais'}</Fact>
      <Fact name="Création du compte">
        <When at={user.created_at} />
      </Fact>
    </FactList>
  );
}

/** What is rarely done to an account, under its line. */
export function AccountPanel({ user }: { user: AdminUser }) {
  const panel = useFocusHandOver<HTMLDivElement>();
  const isOwn = useUser()?.id === user.id;
  return (
    <div ref={panel} className={styles['panel']}>
      <Facts user={user} />
      <Block title="Mot de passe">
        <Password user={user} isOwn={isOwn} />
      </Block>
      <Block title="Double authentification">
        <TwoFactor user={user} isOwn={isOwn} />
      </Block>
      <Block title="Suppression">
        <Deletion user={user} isOwn={isOwn} />
      </Block>
    </div>
  );
}
