import { Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import { Keys } from '../../ui/Keys';
import { useSignal } from '../../ui/signal';
import { useReturnFocus } from '../../ui/focus';
import { closeOverlay } from './overlays';
import { consoleShortcuts, paletteKeys, type Shortcut, shortcuts, singleKeys } from './shortcuts';

const List = ({ items }: { items: readonly Shortcut[] }) => (
  <Stack component="dl" gap={0} variant="lines">
    {items.map(({ keys, label }) => (
      <Group key={label} justify="space-between" wrap="nowrap" gap={12} mih={36} py={4}>
        <dt>{label}</dt>
        <dd>
          <Keys keys={keys} />
        </dd>
      </Group>
    ))}
  </Stack>
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
      radius="lg"
      shadow="var(--shadow)"
      styles={{ content: { border: '1px solid var(--border)' } }}
      closeButtonProps={{ 'aria-label': 'Fermer', iconSize: 18, size: 'var(--control-height)', c: 'muted' }}
    >
      <Checkbox
        label="Raccourcis d’une seule touche"
        checked={isOn}
        onChange={(event) => singleKeys.set(event.currentTarget.checked)}
      />
      <Text variant="note" mb={8}>
        {isOn
          ? 'À désactiver si vous dictez à la voix, ou pour éviter les actions involontaires.'
          : `Désactivés\u00a0: seul ${paletteKeys.join(' ')} reste actif. Il permet de tout faire, et de rouvrir cette liste.`}
      </Text>
      <List items={shortcuts} />
      <Text component="h3" mt={16} mb={4} fw={600}>
        Dans une console
      </Text>
      <List items={consoleShortcuts} />
    </Modal>
  );
}
