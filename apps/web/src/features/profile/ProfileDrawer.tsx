import { Button, Checkbox, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { User } from '@vigie/contracts/users';
import { LogOut, Users } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { setAdminMode, useStoredSession } from '../../kit/query/session';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { Fact, FactList } from '../../ui/FactList';
import { Initials } from '../../ui/Initials';
import { PanelSection } from '../../ui/Section';
import { ThemeChoices } from '../../ui/Choices';
import { toast } from '../../ui/toasts';
import styles from './profile.module.css';

const initialsOf = (name: string) =>
  name
    .split(/[\s@.-]+/)
    .slice(0, 2)
    .map((label) => label.charAt(0))
    .join('')
    .toLocaleUpperCase('fr');

/** Stays above the sections that load later, which would push the log-out button down. */
function Identity({ user, onLogOut }: { user: User; onLogOut: () => void }) {
  const identityFields = [
    ['Prénom', user.first_name],
    ['Nom', user.last_name],
    ['Email', user.email],
    ['Rôle', user.is_admin ? 'Administrateur' : 'Utilisateur'],
  ] as const;
  return (
    <PanelSection aria-label="Identité">
      <Group align="flex-start" wrap="nowrap">
        <Initials w={48} lh="48px" fz={16}>
          {initialsOf(user.name)}
        </Initials>
        <FactList className={styles['facts']}>
          {identityFields.map(([label, value]) => (
            <Fact key={label} name={label}>
              {value ?? '—'}
            </Fact>
          ))}
        </FactList>
      </Group>
      <Text variant="note">
        {user.is_admin
          ? 'Votre prénom et votre nom se modifient dans «\u00a0Utilisateurs\u00a0».'
          : 'Pour modifier ces informations, adressez-vous à un administrateur.'}
      </Text>
      <Button variant="default" w="fit-content" leftSection={<LogOut size={16} aria-hidden />} onClick={onLogOut}>
        Se déconnecter
      </Button>
    </PanelSection>
  );
}

type AdministrationProps = { isAdminMode: boolean; onChange: (isAdminMode: boolean) => void };

function Administration({ isAdminMode, onChange }: AdministrationProps) {
  return (
    <PanelSection aria-labelledby="administration">
      <h3 id="administration">Administration</h3>
      <Checkbox
        label="Voir toutes les données (mode admin)"
        checked={isAdminMode}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Text variant="note">{'Ce réglage est temporaire\u00a0: il s’efface à la déconnexion.'}</Text>
      <p>
        <Link to="/admin/users" className={styles['users']}>
          <Users size={16} aria-hidden />
          Utilisateurs
        </Link>
      </p>
    </PanelSection>
  );
}

type Props = {
  user: User;
  /** The sections of the second factor, the password and the open sessions. */
  security: ReactNode;
  onClose: () => void;
  onLogOut: () => void;
};

export function ProfileDrawer({ user, security, onClose, onLogOut }: Props) {
  const { adminMode } = useStoredSession();
  const [isAdminMode, chooseAdminMode] = useState(adminMode);
  const apply = () => {
    if (user.is_admin && isAdminMode !== adminMode) {
      setAdminMode(isAdminMode);
      toast.success(isAdminMode ? 'Toutes les données sont visibles.' : 'Seules vos données sont visibles.');
    }
    onClose();
  };
  return (
    <SidePanel
      title="Profil"
      onClose={onClose}
      // Only the admin mode waits to be applied: everything else acts at once.
      foot={
        <Group gap={8}>
          <Button variant="default" onClick={onClose}>
            Annuler
          </Button>
          <Button onClick={apply}>Appliquer</Button>
        </Group>
      }
    >
      <Identity user={user} onLogOut={onLogOut} />
      <PanelSection component="div">
        <ThemeChoices />
      </PanelSection>
      {user.is_admin && <Administration isAdminMode={isAdminMode} onChange={chooseAdminMode} />}
      <PanelSection aria-label="Sécurité" gap={28}>
        {security}
      </PanelSection>
    </SidePanel>
  );
}
