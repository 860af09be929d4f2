import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './ConfirmDialog';
import { readLocal } from './storage';

/** Whoever is about to lose what was typed is asked first; a session that ended has nothing left to save. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const isKept = () => isDirty && readLocal('access_token') !== null;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isKept() && current.pathname !== next.pathname && next.pathname !== '/login',
    enableBeforeUnload: isKept,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={'Quitter sans enregistrer\u202f?'}
      action="Quitter sans enregistrer"
      onConfirm={proceed}
      onCancel={reset}
    >
      <p>Les modifications de cet écran seront perdues.</p>
    </ConfirmDialog>
  );
}
