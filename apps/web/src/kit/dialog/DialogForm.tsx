import { Button, Group } from '@mantine/core';
import type { FormEvent, ReactNode, Ref } from 'react';
import { Failure } from '../../ui/Failure';
import { type CallState, sentenceOf } from '../query/failures';
import styles from './dialog.module.css';

type Props = {
  ref?: Ref<HTMLFormElement>;
  className?: string | undefined;
  /** A verb: the label of the submit button. */
  action: string;
  /** There is nothing to submit. */
  isDisabled?: boolean;
  /** The call that the form makes. */
  call?: CallState;
  /** What the form itself found wrong as a whole. */
  failure?: string | undefined;
  children: ReactNode;
  onSubmit: () => void;
  onCancel: () => void;
};

/** The form of a dialog: its fields, and below them the cancel and submit buttons. */
export function DialogForm({ ref, className, action, isDisabled = false, call, failure, ...rest }: Props) {
  const { children, onSubmit, onCancel } = rest;
  const isSending = call?.isLoading === true;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isSending && !isDisabled) onSubmit();
  };
  return (
    <form ref={ref} noValidate className={className} onSubmit={send}>
      <div className={styles['content']}>{children}</div>
      <DialogFoot call={call} failure={failure} onCancel={onCancel}>
        <Button type="submit" loading={isSending} disabled={isDisabled}>
          {action}
        </Button>
      </DialogFoot>
    </form>
  );
}

type DialogFootProps = {
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
export const DialogFoot = ({
  call,
  failure,
  cancel = 'Annuler',
  isCautious = false,
  onCancel,
  children,
}: DialogFootProps) => (
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
