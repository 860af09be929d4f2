import { Modal } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import { Keys } from '../../ui/Keys';
import { useReturnFocus } from '../../ui/useReturnFocus';
import { closeOverlay } from './overlays';
import { consoleShortcuts, type Shortcut, shortcuts } from './shortcuts';
import styles from './ShortcutsSheet.module.css';

const List = ({ of }: { of: readonly Shortcut[] }) => (
  <dl className={styles['list']}>
    {of.map(({ keys, does }) => (
      <div key={does} className={styles['row']}>
        <dt>{does}</dt>
        <dd>
          <Keys keys={keys} />
        </dd>
      </div>
    ))}
  </dl>
);

export function ShortcutsSheet() {
  useReturnFocus();
  return (
    <Modal
      opened
      centered
      onClose={closeOverlay}
      title="Raccourcis clavier"
      size={440}
      returnFocus={false}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)' }}
      closeButtonProps={{ 'aria-label': 'Fermer', iconSize: 18 }}
      classNames={{ content: styles['content'], title: styles['title'], close: styles['close'] }}
    >
      <List of={shortcuts} />
      <h3 className={styles['part']}>Dans une console</h3>
      <List of={consoleShortcuts} />
    </Modal>
  );
}
