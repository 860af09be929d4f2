import { Box, Group, Text } from '@mantine/core';
import { Link, useMatches } from '@tanstack/react-router';
import type { Me, User } from '@vigie/contracts/users';
import { ChevronRight, Menu, Moon, Search, Settings, Sun, Users } from 'lucide-react';
import { IncidentsBell } from '../../features/incidents/IncidentsBell';
import { JobsButton } from '../../features/jobs/JobsLine';
import brief from '../../ui/Brief.module.css';
import { useBrand } from '../../ui/brand';
import { IconButton, iconButtonClass } from '../../ui/IconButton';
import { Initials } from '../../ui/Initials';
import { Keys } from '../../ui/Keys';
import { Logo } from '../../ui/Logo';
import { pageTitle } from '../../ui/pageTitle';
import { useSignal } from '../../ui/signal';
import { toggleTheme, useTheme } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import widths from '../../ui/widths.module.css';
import styles from './layout.module.css';
import menus from './menus.module.css';
import { overlay, useSetPanel } from './overlays';
import { paletteKeys } from './shortcuts';

function SearchTrigger() {
  return (
    <button type="button" className={menus['search']} aria-haspopup="dialog" onClick={() => overlay.set('palette')}>
      <Search size={16} strokeWidth={1.75} aria-hidden />
      <Text span truncate flex={1} className={brief['words']}>
        Rechercher ou agir…
      </Text>
      <span className={widths['fromTablet']}>
        <Keys keys={paletteKeys} />
      </span>
    </button>
  );
}

function ThemeToggle() {
  const isDark = useTheme().resolved === 'dark';
  return (
    <IconButton
      icon={isDark ? Sun : Moon}
      label={isDark ? 'Passer au thème clair' : 'Passer au thème sombre'}
      onClick={toggleTheme}
      className={widths['fromTablet'] ?? ''}
    />
  );
}

type Props = { user: Me | undefined; userId: string | null; isAdmin: boolean; isAdminMode: boolean };

export function Header({ user, userId, isAdmin, isAdminMode }: Props) {
  const { app_name: appName } = useBrand();
  return (
    <header className={styles['header']} data-admin-mode={isAdminMode || undefined}>
      <IconButton
        icon={Menu}
        label="Menu"
        aria-haspopup="dialog"
        className={widths['onPhone'] ?? ''}
        onClick={() => overlay.set('menu')}
      />
      <Link to="/" className={menus['brand']}>
        <Logo />
        <Text span truncate maw={220}>
          {appName}
        </Text>
      </Link>
      <Breadcrumb />
      <SearchTrigger />
      {user?.requires_2fa_setup !== true && (
        <>
          <JobsButton />
          <IncidentsBell />
        </>
      )}
      <ThemeToggle />
      {isAdmin && <AdminLinks />}
      <ProfileButton user={user} userId={userId} isAdmin={isAdmin} />
      {isAdminMode && <p className={styles['adminMode']}>{'Mode admin\u00a0: toutes les données sont visibles'}</p>}
    </header>
  );
}

const AdminLinks = () => (
  <>
    <Link to="/admin/users" aria-label="Utilisateurs" className={`${iconButtonClass} ${widths['fromTablet']}`}>
      <Users size={18} strokeWidth={1.75} aria-hidden />
    </Link>
    <Link to="/settings" aria-label="Paramètres" className={iconButtonClass}>
      <Settings size={18} strokeWidth={1.75} aria-hidden />
    </Link>
  </>
);

function Breadcrumb() {
  const pageName = useSignal(pageTitle);
  const matches = useMatches();
  const leaf = matches.at(-1);
  if (!leaf?.staticData.title) return null;
  const { title, parent } = leaf.staticData;
  return (
    <Box
      component="nav"
      aria-label="Fil d’Ariane"
      className={widths['fromTablet'] ?? ''}
      miw={0}
      pl={12}
      c="muted"
      fw={500}
    >
      <Group gap={16} wrap="nowrap" className={menus['trail']}>
        <Group component="ol" gap={6} wrap="nowrap" miw={0}>
          {parent && (
            <Group component="li" gap={6} wrap="nowrap" flex="none">
              <Link to={parent.to} activeOptions={{ exact: true }} className={menus['crumb']}>
                {parent.title}
              </Link>
              <ChevronRight size={14} aria-hidden />
            </Group>
          )}
          <Text component="li" truncate aria-current="page">
            {pageName ?? title}
          </Text>
        </Group>
      </Group>
    </Box>
  );
}

type ProfileButtonProps = { user: User | undefined; userId: string | null; isAdmin: boolean };

const nameOf = (user: User | undefined, userId: string | null) => user?.first_name || user?.email || userId || 'Profil';

function ProfileButton({ user, userId, isAdmin }: ProfileButtonProps) {
  const setPanel = useSetPanel();
  const name = nameOf(user, userId);
  return (
    <button
      type="button"
      className={`${menus['item']} ${menus['profile']}`}
      aria-haspopup="dialog"
      onClick={() => setPanel('profile')}
    >
      <Initials w={{ base: 28, sm: 24 }} lh={{ base: '28px', sm: '24px' }} fz={12}>
        {name.charAt(0).toLocaleUpperCase('fr')}
      </Initials>
      <VisuallyHidden>{'Profil\u00a0: '}</VisuallyHidden>
      <Text span truncate className={brief['words']}>
        {name}
      </Text>
      {isAdmin && <span className={menus['badge']}>admin</span>}
    </button>
  );
}
