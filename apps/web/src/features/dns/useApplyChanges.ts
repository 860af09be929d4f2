import type { BulkResult } from '@vigie/contracts/dns-changes';
import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { plural } from '../../ui/plural';
import { toast } from '../../ui/toasts';
import { hasZoneChanged } from './differences';

type Send = () => PromiseLike<{ data?: BulkResult; error?: unknown }>;

type Callbacks = {
  onDone: () => void;
  /** Called when the zone changed since the preview: nothing was applied, and the preview must be loaded again. */
  onZoneChanged: () => void;
};

/** Applies many changes; `result` is set only where some of them failed. */
export function useApplyChanges(failedSentence: string, { onDone, onZoneChanged }: Callbacks) {
  const [result, setResult] = useState<BulkResult>();
  const [failure, setFailure] = useState<string>();
  const apply = async (send: Send) => {
    setFailure(undefined);
    const { data, error } = await send();
    if (hasZoneChanged(error)) onZoneChanged();
    if (!data) return setFailure(reportFailure(error, failedSentence));
    const isComplete = data.stopped === null && data.results.every(({ state }) => state === 'done');
    if (!isComplete) return setResult(data);
    toast.success(plural(data.done, 'changement enregistré.', 'changements enregistrés.'));
    onDone();
  };
  return { result, failure, apply };
}
