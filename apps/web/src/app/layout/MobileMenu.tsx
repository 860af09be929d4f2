import { Drawer } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import { useReturnFocus } from '../../ui/useReturnFocus';
import { closeOverlay } from './overlays';
import { NavList } from './NavList';

/** Under 768 px the sidebar is a sheet that rises from where the thumb is. */
export function MobileMenu() {
  useReturnFocus();
  return (
    <Drawer
      opened
      onClose={closeOverlay}
      position="bottom"
      size="auto"
      title="Menu"
      closeButtonProps={{ 'aria-label': 'Fermer' }}
    >
      <nav aria-label="Menu principal">
        <NavList onChoose={closeOverlay} />
      </nav>
    </Drawer>
  );
}
