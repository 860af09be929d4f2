import { Drawer, type DrawerProps } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import { useReturnFocus } from '../../ui/focus';

type Props = Pick<DrawerProps, 'children' | 'onClose' | 'size' | 'styles' | 'title' | 'zIndex'>;

/** A panel that comes up from the bottom of a phone. */
export function Sheet(props: Props) {
  useReturnFocus();
  return (
    <Drawer
      opened
      position="bottom"
      radius="12px 12px 0 0"
      returnFocus={false}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)' }}
      closeButtonProps={{ 'aria-label': 'Fermer', iconSize: 20, size: 44, mr: -8, c: 'muted' }}
      {...props}
    />
  );
}
