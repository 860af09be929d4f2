import { Stack, UnstyledButton } from '@mantine/core';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { createSignal, useSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';
import styles from './layout.module.css';
import menus from './menus.module.css';
import { NavList } from './NavList';
import widths from '../../ui/widths.module.css';

const collapsed = createSignal(readLocal('sidebar') === 'collapsed');

export function toggleSidebar(): void {
  collapsed.set(!collapsed.get());
  writeLocal('sidebar', collapsed.get() ? 'collapsed' : null);
}

export function Sidebar() {
  const isCollapsed = useSignal(collapsed);
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  const action = isCollapsed ? 'Déplier le menu' : 'Replier le menu';
  return (
    <Stack
      component="nav"
      justify="space-between"
      gap={0}
      aria-label="Menu principal"
      className={`${styles['sidebar']} ${widths['fromTablet']}`}
      data-collapsed={isCollapsed || undefined}
    >
      <NavList />
      <UnstyledButton fz={13} className={menus['item']} aria-label={action} title={action} onClick={toggleSidebar}>
        <Icon size={16} strokeWidth={1.75} aria-hidden />
        {!isCollapsed && <span>Replier</span>}
      </UnstyledButton>
    </Stack>
  );
}
