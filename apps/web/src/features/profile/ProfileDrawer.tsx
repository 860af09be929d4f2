import { Button } from '@mantine/core';
import type { User } from '@vigie/contracts/users';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { SidePanel } from '../../ui/SidePanel';
import styles from './ProfileDrawer.module.css';
import { ThemeChoices } from '../../ui/ThemeChoices';

const initialsOf = (name: string) =>
  name
    .split(/[\s@.-]+/)
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('')
    .toLocaleUpperCase('fr');

function Identity({ user }: { user: User }) {
  return (
    <div className={styles['identity']}>
      <span className={styles['avatar']} aria-hidden>
        {initialsOf(user.name)}
      </span>
      <div className={styles['names']}>
        <p className={styles['name']}>{user.name}</p>
        {user.name !== user.email && <p className={styles['email']}>{user.email}</p>}
        <p className={styles['role']}>{user.is_admin ? 'Administrateur' : 'Utilisateur'}</p>
      </div>
    </div>
  );
}

type Props = { user: User; onClose: () => void; onLogOut: () => Promise<void> };

export function ProfileDrawer({ user, onClose, onLogOut }: Props) {
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    void onLogOut();
  };
  return (
    <SidePanel title="Profil" onClose={onClose}>
      <Identity user={user} />
      <ThemeChoices />
      <div className={styles['foot']}>
        <Button variant="default" leftSection={<LogOut size={16} aria-hidden />} loading={isLeaving} onClick={leave}>
          Se déconnecter
        </Button>
      </div>
    </SidePanel>
  );
}
