import { Button } from '@mantine/core';
import type { FormEvent, ReactNode, Ref } from 'react';
import type { CallState } from '../query/failures';
import { DialogFoot } from './DialogFoot';
import styles from './dialog.module.css';

type Props = {
  ref?: Ref<HTMLFormElement>;
  className?: string | undefined;
  /** A verb: the label of the submit button. */
  action: string;
  /** The call that the form makes. */
  call?: CallState;
  /** What the form itself found wrong as a whole. */
  failure?: string | undefined;
  children: ReactNode;
  onSubmit: () => void;
  onCancel: () => void;
};

/** The form of a dialog: its fields, and below them the cancel and submit buttons. */
export function DialogForm({ ref, className, action, call, failure, children, onSubmit, onCancel }: Props) {
  const isSending = call?.isLoading === true;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isSending) onSubmit();
  };
  return (
    <form ref={ref} noValidate className={className} onSubmit={send}>
      <div className={styles['content']}>{children}</div>
      <DialogFoot call={call} failure={failure} onCancel={onCancel}>
        <Button type="submit" loading={isSending}>
          {action}
        </Button>
      </DialogFoot>
    </form>
  );
}
