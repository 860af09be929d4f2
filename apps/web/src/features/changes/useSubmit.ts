import { useState } from 'react';
import type { CallState } from '../../kit/query/failures';

/** Resolves to the error when the server refuses. */
export type Submit = () => Promise<unknown>;

/** Submits a dialog, which stays open with the reason when the server refuses. */
export function useSubmit(onStarted: () => void) {
  const [call, setCall] = useState<CallState>({ isLoading: false });
  const run = async (submit: Submit): Promise<void> => {
    setCall({ isLoading: true });
    const error = await submit();
    setCall({ isLoading: false, error });
    if (error === undefined) onStarted();
  };
  return { call, run: (submit: Submit) => void run(submit) };
}
