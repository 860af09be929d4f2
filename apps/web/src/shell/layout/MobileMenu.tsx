import { Drawer } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import { useReturnFocus } from '../../ui/useReturnFocus';
import { closeOverlay } from './overlays';
import styles from './MobileMenu.module.css';
import { NavList } from './NavList';

/** Replaces the sidebar under 768 px. */
export function MobileMenu() {
  useReturnFocus();
  return (
    <Drawer
      opened
      onClose={closeOverlay}
      position="bottom"
      size="min(540px, 88dvh)"
      returnFocus={false}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)' }}
      classNames={{ content: styles['content'], title: styles['title'], close: styles['close'] }}
      title="Menu"
      closeButtonProps={{ 'aria-label': 'Fermer', iconSize: 20 }}
    >
      <nav aria-label="Menu principal">
        <NavList onChoose={closeOverlay} />
      </nav>
    </Drawer>
  );
}
