import { Button, Group, Modal, Stack } from '@mantine/core';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import { type ReactNode, useRef } from 'react';
import styles from './dialog.module.css';
import { useEscape } from '../../ui/useEscape';

type Props = {
  title: string;
  size: number;
  /** The label of the cancel button, which has the first focus. */
  refusal: string;
  /** The confirm button. */
  action: ReactNode;
  children: ReactNode;
  onCancel: () => void;
};

/** A question with two answers, above all other layers. */
export function Dialog({ title, size, refusal, action, children, onCancel }: Props) {
  const answers = useRef<HTMLDivElement>(null);
  useEscape(answers, onCancel);
  return (
    <Modal
      opened
      centered
      size={size}
      zIndex={300}
      title={title}
      withCloseButton={false}
      closeOnEscape={false}
      returnFocus={false}
      onClose={onCancel}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)' }}
      classNames={{ content: styles['frame'] }}
    >
      <Stack gap={16}>
        {children}
        <Group ref={answers} justify="flex-end" gap={8} mt={8}>
          <Button variant="default" data-autofocus onClick={onCancel}>
            {refusal}
          </Button>
          {action}
        </Group>
      </Stack>
    </Modal>
  );
}
