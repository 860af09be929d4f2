import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { readLocal } from '../../ui/storage';
import { ConfirmDialog } from './ConfirmDialog';

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

type Options = {
  isDirty: boolean;
  /** The verb of the action that closing skips: "enregistrer". */
  undone: string;
  /** A sentence about the loss. */
  lost: string;
  onClose: () => void;
};

/** For a form without an address of its own: asks when it is closed and when its screen is left. */
export function useCloseGuard({ isDirty, undone, lost, onClose }: Options): { close: () => void; guard: ReactNode } {
  const [isAsking, setAsking] = useState(false);
  const action = `Fermer sans ${undone}`;
  const question = { title: `${action}\u202f?`, action, children: <p>{lost}</p> };
  return {
    close: () => (isDirty ? setAsking(true) : onClose()),
    guard: (
      <>
        <LeaveGuard isDirty={isDirty} {...question} />
        {isAsking && <ConfirmDialog {...question} onConfirm={onClose} onCancel={() => setAsking(false)} />}
      </>
    ),
  };
}
