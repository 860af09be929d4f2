import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from './ConfirmDialog';
import { LeaveGuard } from './LeaveGuard';

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
