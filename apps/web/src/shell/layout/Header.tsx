import { Text } from '@mantine/core';
import type { Me } from '@vigie/contracts/users';
import { Link } from '@tanstack/react-router';
import { Menu, Moon, Search, Settings, Sun } from 'lucide-react';
import { JobsButton } from '../../features/jobs/JobsSummary';
import { useBrand } from '../../ui/brand';
import { IconButton, iconButtonClass } from '../../ui/IconButton';
import brief from '../../ui/Brief.module.css';
import { Keys } from '../../ui/Keys';
import { Logo } from '../../ui/Logo';
import { toggleTheme, useTheme } from '../../ui/theme';
import { Breadcrumb } from './Breadcrumb';
import { openDock } from '../dock/dock';
import styles from './layout.module.css';
import menus from './menus.module.css';
import { overlay } from './overlays';
import { ProfileButton } from './ProfileButton';
import { paletteKeys } from './shortcuts';
import widths from '../../ui/widths.module.css';

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
      {user?.requires_2fa_setup !== true && <JobsButton onOpen={() => openDock('jobs')} />}
      <ThemeToggle />
      {isAdmin && (
        <Link to="/settings" aria-label="Paramètres" className={iconButtonClass}>
          <Settings size={18} strokeWidth={1.75} aria-hidden />
        </Link>
      )}
      <ProfileButton user={user} userId={userId} isAdmin={isAdmin} />
      {isAdminMode && <p className={styles['adminMode']}>{'Mode admin\u00a0: toutes les données sont visibles'}</p>}
    </header>
  );
}
