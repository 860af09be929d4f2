import type { BulkResult } from '@vigie/contracts/dns-changes';
import { useState } from 'react';
import { plural } from '../../ui/plural';
import { toast } from '../../ui/toasts';
import { hasZoneChanged } from './differences';

type Send<F> = (fields: F) => PromiseLike<{ data?: BulkResult; error?: unknown }>;

type Callbacks = {
  onDone: () => void;
  /** Called when the zone changed since the preview: nothing was applied, and the preview must be loaded again. */
  onZoneChanged: () => void;
};

/** Applies many changes; `result` is set only where some of them failed. */
export function useApplyChanges<F>(send: Send<F>, { onDone, onZoneChanged }: Callbacks) {
  const [result, setResult] = useState<BulkResult>();
  const apply = async (fields: F) => {
    const { data, error } = await send(fields);
    if (hasZoneChanged(error)) onZoneChanged();
    if (!data) return;
    const isComplete = data.stopped === null && data.results.every(({ state }) => state === 'done');
    if (!isComplete) return setResult(data);
    toast.success(plural(data.done, 'changement enregistré.', 'changements enregistrés.'));
    onDone();
  };
  return { result, apply: (fields: F) => void apply(fields) };
}
