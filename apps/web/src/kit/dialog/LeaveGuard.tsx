import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmDialog } from './ConfirmDialog';
import { readLocal } from '../../ui/storage';

type Props = {
  isDirty: boolean;
  /** For a form that is open by a search parameter: whether the next address closes it. */
  isClosedBy?: (search: Record<string, unknown>) => boolean;
  /** The default text is about unsaved changes. */
  title?: string;
  action?: string;
  children?: ReactNode;
};

/** Asks before unsaved changes are lost, unless the session has ended: then they cannot be saved. */
export function LeaveGuard({ isDirty, isClosedBy, title, action, children }: Props) {
  const isKept = () => isDirty && readLocal('access_token') !== null;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isKept() && (current.pathname !== next.pathname || isClosedBy?.(next.search) === true),
    enableBeforeUnload: isKept,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={title ?? 'Quitter sans enregistrer\u202f?'}
      action={action ?? 'Quitter sans enregistrer'}
      onConfirm={proceed}
      onCancel={reset}
    >
      {children ?? <p>Les modifications de cet écran seront perdues.</p>}
    </ConfirmDialog>
  );
}
