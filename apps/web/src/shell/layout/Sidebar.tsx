import { Box, Stack, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { createSignal, useSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';
import widths from '../../ui/widths.module.css';
import styles from './layout.module.css';
import menus from './menus.module.css';
import { sidebar } from './navigation';

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

export function NavList({ onChoose }: { onChoose?: () => void }) {
  return (
    <Box c="muted">
      {sidebar.map((items) => (
        <Stack component="ul" gap={2} key={items[0]?.to} className={menus['group']}>
          {items.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className={menus['item']}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                onClick={onChoose}
              >
                <Icon size={16} strokeWidth={1.75} aria-hidden />
                <span className={menus['label']}>{label}</span>
              </Link>
            </li>
          ))}
        </Stack>
      ))}
    </Box>
  );
}
