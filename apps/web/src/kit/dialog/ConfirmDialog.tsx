import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { type CallState, sentenceOf } from '../query/failures';
import { Dialog } from './Dialog';
import { Failure } from '../../ui/Failure';
import { useReturnFocus } from '../../ui/focus';

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
