import { Button } from '@mantine/core';
import type { FormEvent, ReactNode, Ref } from 'react';
import styles from './DialogForm.module.css';
import { Failure } from '../../ui/Failure';

type Props = {
  ref?: Ref<HTMLFormElement>;
  className?: string | undefined;
  /** A verb: the label of the submit button. */
  action: string;
  failure: string | undefined;
  isSending: boolean;
  children: ReactNode;
  onSubmit: () => void;
  onCancel: () => void;
};

/** The form of a dialog: its fields, and below them the cancel and submit buttons. */
export function DialogForm({ ref, className, action, failure, isSending, children, onSubmit, onCancel }: Props) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form ref={ref} noValidate className={className} onSubmit={send}>
      <div className={styles['content']}>{children}</div>
      <div className={styles['foot']}>
        <Failure sentence={failure} />
        <div className={styles['actions']}>
          <Button variant="default" onClick={onCancel}>
            Annuler
          </Button>
          <Button type="submit" loading={isSending}>
            {action}
          </Button>
        </div>
      </div>
    </form>
  );
}
