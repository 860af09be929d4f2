import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from '../../ui/Failure';
import { type CallState, sentenceOf } from '../query/failures';
import styles from './dialog.module.css';

type Props = {
  /** The call that the action makes. */
  call?: CallState | undefined;
  /** A failure that is not the call's. */
  failure?: string | undefined;
  /** The label of the button that closes the dialog. */
  cancel?: string;
  /** The focus starts on the button that changes nothing. */
  isCautious?: boolean;
  onCancel: () => void;
  /** The other buttons. */
  children?: ReactNode;
};

/** The foot of a dialog, which stays visible under a long content: why the action failed, and the buttons. */
export const DialogFoot = ({ call, failure, cancel = 'Annuler', isCautious = false, onCancel, children }: Props) => (
  <div className={styles['foot']}>
    <Failure sentence={failure ?? sentenceOf(call?.error)} />
    <Group justify="flex-end" gap={8}>
      <Button variant="default" {...(isCautious && { 'data-autofocus': true })} onClick={onCancel}>
        {cancel}
      </Button>
      {children}
    </Group>
  </div>
);
