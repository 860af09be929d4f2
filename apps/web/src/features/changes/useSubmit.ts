import { useState } from 'react';

/** Resolves to the reason when the server refuses. */
export type Submit = () => Promise<string | undefined>;

/** Submits a dialog, which stays open with the reason when the server refuses. */
export function useSubmit(onStarted: () => void) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const run = async (submit: Submit): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const refusal = await submit();
    setBusy(false);
    if (refusal === undefined) onStarted();
    else setFailure(refusal);
  };
  return { isBusy, failure, run: (submit: Submit) => void run(submit) };
}
