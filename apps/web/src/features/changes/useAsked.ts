import { useState } from 'react';

/** Resolves to the reason when the server refuses. */
export type Ask = () => Promise<string | undefined>;

/** Submits a dialog, which stays open with the reason when the server refuses. */
export function useAsked(onBegun: () => void) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const run = async (ask: Ask): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const refusal = await ask();
    setBusy(false);
    if (refusal === undefined) onBegun();
    else setFailure(refusal);
  };
  return { isBusy, failure, run: (ask: Ask) => void run(ask) };
}
