import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { User } from '@vigie/contracts/users';
import { LogOut } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { SidePanel } from '../../ui/SidePanel';
import { ThemeChoices } from '../../ui/ThemeChoices';
import { ChangePasswordForm } from './ChangePasswordForm';
import styles from './ProfileDrawer.module.css';
import { SessionsSection } from './SessionsSection';
import { TwoFactorSection } from './TwoFactorSection';

const roleOf = (user: User) => (user.is_admin ? 'Administrateur' : 'Utilisateur');

function Identity({ user }: { user: User }) {
  const facts = [
    ['Prénom', user.first_name ?? '—'],
    ['Nom', user.last_name ?? '—'],
    ['Email', user.email],
    ['Rôle', roleOf(user)],
  ];
  return (
    <div className={styles['part']}>
      <dl className={styles['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles['note']}>Pour changer ces informations, adressez-vous à un administrateur.</p>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={styles['part']}>
      <h3 id={heading}>{title}</h3>
      {children}
    </section>
  );
}

type Props = {
  user: User;
  isAdminMode: boolean;
  onAdminMode: (isOn: boolean) => void;
  onClose: () => void;
  onLogOut: () => Promise<void>;
};

export function ProfileDrawer({ user, isAdminMode, onAdminMode, onClose, onLogOut }: Props) {
  const [isLeaving, setLeaving] = useState(false);
  const [wantsAdminMode, setWantsAdminMode] = useState(isAdminMode);
  const leave = () => {
    setLeaving(true);
    void onLogOut();
  };
  const apply = () => {
    if (wantsAdminMode !== isAdminMode) onAdminMode(wantsAdminMode);
    onClose();
  };
  return (
    <SidePanel title="Profil" onClose={onClose}>
      <Identity user={user} />
      <ThemeChoices />
      <Part title="Sécurité">
        <TwoFactorSection />
      </Part>
      <Part title="Mot de passe">
        <ChangePasswordForm email={user.email} />
      </Part>
      <Part title="Sessions">
        <SessionsSection />
      </Part>
      {user.is_admin && (
        <Part title="Administration">
          <label className={styles['check']}>
            <input
              type="checkbox"
              checked={wantsAdminMode}
              onChange={(event) => setWantsAdminMode(event.currentTarget.checked)}
            />
            {'Mode admin\u00a0: voir toutes les données'}
          </label>
          <p>
            <Link to="/admin/users">Utilisateurs</Link>
          </p>
        </Part>
      )}
      <div className={styles['foot']}>
        <p className={styles['note']}>Ces réglages sont temporaires : ils s’effacent à la déconnexion.</p>
        <div className={styles['actions']}>
          <Button onClick={apply}>Appliquer</Button>
          <Button variant="default" onClick={onClose}>
            Annuler
          </Button>
          <Button variant="default" leftSection={<LogOut size={16} aria-hidden />} loading={isLeaving} onClick={leave}>
            Se déconnecter
          </Button>
        </div>
      </div>
    </SidePanel>
  );
}
