import { useState } from 'react';

/** Gives why it was not begun. */
export type Ask = () => Promise<string | undefined>;

/** What a dialog asks for: it stays, and says why, where that was not begun. */
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
