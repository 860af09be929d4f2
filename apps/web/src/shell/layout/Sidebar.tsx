import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { createSignal, useSignal } from '../../ui/signal';
import { readLocal, writeLocal } from '../../ui/storage';
import { NavList } from './NavList';
import styles from './Sidebar.module.css';

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
    <nav aria-label="Menu principal" className={styles['sidebar']} data-collapsed={isCollapsed || undefined}>
      <NavList isCollapsed={isCollapsed} />
      <button type="button" className={styles['toggle']} aria-label={action} title={action} onClick={toggleSidebar}>
        <Icon size={16} strokeWidth={1.75} aria-hidden />
        {!isCollapsed && <span>Replier</span>}
      </button>
    </nav>
  );
}
