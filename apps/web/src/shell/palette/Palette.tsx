import { Modal } from '@mantine/core';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import { useReturnFocus } from '../../ui/focus';
import type { RunAction } from './actions';
import type { Command } from './match';
import styles from './palette.module.css';
import { PaletteSearch } from './PaletteSearch';

type Props = { commands: readonly Command[]; runAction: RunAction; onClose: () => void };

export function Palette({ commands, runAction, onClose }: Props) {
  useReturnFocus();
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={560}
      yOffset="12vh"
      returnFocus={false}
      classNames={{ content: styles['content'] }}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--backdrop)" />
      <Modal.Content radius="lg" shadow="var(--shadow)" aria-label="Rechercher ou agir">
        <PaletteSearch commands={commands} runAction={runAction} onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}
