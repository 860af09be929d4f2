import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { Ban, RotateCcw } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { IconButton } from '../../ui/IconButton';
import { nameOf } from './kinds';
import type { Deeds } from './useDeeds';

export const canCancel = (job: JobItem) => !isFinal(job.state) && !job.is_cancelling;
export const canRetry = (job: JobItem) => isFinal(job.state) && job.state !== 'succeeded';
export const retryWord = (job: JobItem) => (job.counts ? 'Relancer les échecs' : 'Relancer');

/** A button that goes with what it did leaves the focus to its line. */
function HandOver({ children }: { children: ReactNode }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const { current: element } = place;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      element.closest('[data-state]')?.querySelector<HTMLElement>('[data-row]')?.focus({ preventScroll: true });
    };
  }, []);
  return <span ref={place}>{children}</span>;
}

type Props = { job: JobItem; deeds: Deeds; tabIndex: 0 | -1 };

export function JobActions({ job, deeds, tabIndex }: Props) {
  const name = nameOf(job);
  const cancel = `Annuler\u00a0: ${name}`;
  const retry = job.counts ? `Relancer les échecs\u00a0: ${name}` : `Relancer\u00a0: ${name}`;
  return (
    <>
      {canCancel(job) && (
        <HandOver>
          <IconButton icon={Ban} label={cancel} title="Annuler" tabIndex={tabIndex} onClick={() => deeds.cancel(job)} />
        </HandOver>
      )}
      {canRetry(job) && (
        <IconButton
          icon={RotateCcw}
          label={retry}
          title={retryWord(job)}
          tabIndex={tabIndex}
          onClick={() => deeds.retry(job)}
        />
      )}
    </>
  );
}
