import type { BulkResult } from '@vigie/contracts/dns-changes';
import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { plural } from '../../ui/plural';
import { toast } from '../../ui/toasts';
import { hasZoneChanged } from './differences';

type Send = () => PromiseLike<{ data?: BulkResult; error?: unknown }>;

type Ends = {
  onDone: () => void;
  /** Nothing was done: the zone is another one than was shown, and is to be shown anew. */
  onChanged: () => void;
};

/** Many changes at once: over when all are done, else what was not stays in sight. */
export function useApplied(failed: string, { onDone, onChanged }: Ends) {
  const [result, setResult] = useState<BulkResult>();
  const [failure, setFailure] = useState<string>();
  const apply = async (send: Send) => {
    setFailure(undefined);
    const { data, error } = await send();
    if (hasZoneChanged(error)) onChanged();
    if (!data) return setFailure(tellFailure(error, failed));
    const isWhole = data.stopped === null && data.results.every(({ state }) => state === 'done');
    if (!isWhole) return setResult(data);
    toast.success(plural(data.done, 'changement enregistré.', 'changements enregistrés.'));
    onDone();
  };
  return { result, failure, apply };
}
