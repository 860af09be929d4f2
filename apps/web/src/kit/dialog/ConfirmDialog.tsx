import { Button, Group, Modal, Stack } from '@mantine/core';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import { type ReactNode, useRef } from 'react';
import { Failure } from '../../ui/Failure';
import { useReturnFocus } from '../../ui/focus';
import { useEscape } from '../../ui/useEscape';
import { type CallState, sentenceOf } from '../query/failures';
import styles from './dialog.module.css';

type Props = {
  title: string;
  /** A verb: the label of the confirm button. */
  action: string;
  /** The label of the cancel button, when the action itself is a cancellation. */
  refusal?: string;
  /** `accent` when the action loses nothing. */
  color?: 'danger' | 'accent';
  children: ReactNode;
  /** The call that the action makes. */
  call?: CallState;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before an action that cannot be undone. The focus starts on the cancel button. */
export function ConfirmDialog({ title, action, refusal = 'Annuler', color = 'danger', children, ...rest }: Props) {
  const { call, onConfirm, onCancel } = rest;
  useReturnFocus();
  return (
    <Dialog
      title={title}
      size={460}
      refusal={refusal}
      onCancel={onCancel}
      action={
        <Button color={color} loading={call?.isLoading === true} onClick={onConfirm}>
          {action}
        </Button>
      }
    >
      <Stack gap={8} c="muted">
        {children}
      </Stack>
      <Failure sentence={sentenceOf(call?.error)} />
    </Dialog>
  );
}

type DialogProps = {
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
export function Dialog({ title, size, refusal, action, children, onCancel }: DialogProps) {
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
