import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from './ConfirmDialog';
import { LeaveGuard } from './LeaveGuard';

type Options = {
  isDirty: boolean;
  /** What is not done then, as a verb. */
  undone: string;
  /** What is lost, as a sentence. */
  lost: string;
  onClose: () => void;
};

/** For what is open without an address of its own: whoever closes it is asked, as whoever leaves its screen is. */
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
