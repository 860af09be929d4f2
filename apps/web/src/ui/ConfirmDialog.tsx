import { Button, Modal } from '@mantine/core';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import type { ReactNode } from 'react';
import styles from './ConfirmDialog.module.css';
import { Failure } from './Failure';
import { useReturnFocus } from './useReturnFocus';

type Props = {
  title: string;
  /** What is done, as a verb. */
  action: string;
  /** The way out, where what is done is a cancellation itself. */
  refusal?: string;
  children: ReactNode;
  isBusy?: boolean;
  failure?: string | undefined;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asked once before what cannot be undone; the focus starts on the way out. */
export function ConfirmDialog({ title, action, refusal = 'Annuler', children, ...rest }: Props) {
  const { isBusy = false, failure, onConfirm, onCancel } = rest;
  useReturnFocus();
  return (
    <Modal
      opened
      centered
      size={460}
      zIndex={300}
      title={title}
      withCloseButton={false}
      returnFocus={false}
      onClose={onCancel}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)' }}
      classNames={{ content: styles['content'], title: styles['title'], body: styles['body'] }}
    >
      <div className={styles['text']}>{children}</div>
      <Failure sentence={failure} />
      <div className={styles['actions']}>
        <Button variant="default" data-autofocus onClick={onCancel}>
          {refusal}
        </Button>
        <Button color="danger" loading={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Modal>
  );
}
