import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmDialog } from './ConfirmDialog';
import { readLocal } from './storage';

type Props = {
  isDirty: boolean;
  /** For what is open by an address on the same path: it closes with this one. */
  isClosedBy?: (search: Record<string, unknown>) => boolean;
  /** Where it is not what was typed that would be lost. */
  title?: string;
  action?: string;
  children?: ReactNode;
};

/** Whoever is about to lose what was typed is asked first; a session that ended has nothing left to save. */
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
