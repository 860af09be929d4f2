import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './ConfirmDialog.module.css';
import { Dialog } from './Dialog';
import { Failure } from './Failure';
import { useReturnFocus } from './useReturnFocus';

type Props = {
  title: string;
  /** What is done, as a verb. */
  action: string;
  /** The way out, where what is done is a cancellation itself. */
  refusal?: string;
  /** Where nothing is lost by it. */
  color?: 'danger' | 'accent';
  children: ReactNode;
  isBusy?: boolean;
  failure?: string | undefined;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asked once before what cannot be undone; the focus starts on the way out. */
export function ConfirmDialog({ title, action, refusal = 'Annuler', color = 'danger', children, ...rest }: Props) {
  const { isBusy = false, failure, onConfirm, onCancel } = rest;
  useReturnFocus();
  return (
    <Dialog
      title={title}
      size={460}
      refusal={refusal}
      onCancel={onCancel}
      action={
        <Button color={color} loading={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      }
    >
      <div className={styles['text']}>{children}</div>
      <Failure sentence={failure} />
    </Dialog>
  );
}
