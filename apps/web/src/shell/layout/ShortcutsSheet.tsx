import { Checkbox, Modal } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import { Keys } from '../../ui/Keys';
import { useSignal } from '../../ui/signal';
import { useReturnFocus } from '../../ui/useReturnFocus';
import { closeOverlay } from './overlays';
import { consoleShortcuts, paletteKeys, type Shortcut, shortcuts } from './shortcuts';
import { singleKeys } from './single-keys';
import styles from './ShortcutsSheet.module.css';

const List = ({ items }: { items: readonly Shortcut[] }) => (
  <dl className={styles['list']}>
    {items.map(({ keys, label }) => (
      <div key={label} className={styles['row']}>
        <dt>{label}</dt>
        <dd>
          <Keys keys={keys} />
        </dd>
      </div>
    ))}
  </dl>
);

export function ShortcutsSheet() {
  const isOn = useSignal(singleKeys);
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
      <Checkbox
        label="Raccourcis d’une seule touche"
        checked={isOn}
        onChange={(event) => singleKeys.set(event.currentTarget.checked)}
      />
      <p className={styles['hint']}>
        {isOn
          ? 'À désactiver si vous dictez à la voix, ou pour éviter les actions involontaires.'
          : `Désactivés\u00a0: seul ${paletteKeys.join(' ')} reste actif. Il permet de tout faire, et de rouvrir cette liste.`}
      </p>
      <List items={shortcuts} />
      <h3 className={styles['part']}>Dans une console</h3>
      <List items={consoleShortcuts} />
    </Modal>
  );
}
