import { Link } from '@tanstack/react-router';
import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { Ban, CheckCheck, RotateCcw } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { withJobParam } from '../../app/withJobParam';
import { IconButton, iconButtonClass } from '../../ui/IconButton';
import { canRetry, redone, retryWord } from './again';
import { nameOf } from './kinds';
import type { Deeds } from './useDeeds';

/** The counts of a batch hold only the user's own jobs, so it may be open without any of them being so. */
const hasOpen = (counts: JobItem['counts']) => counts === null || counts.queued + counts.running > 0;

export const canCancel = (job: JobItem) => !isFinal(job.state) && !job.is_cancelling && hasOpen(job.counts);

/** A button that disappears after its action moves the focus to its row. */
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
          label={`${retryWord(job)}\u00a0: ${name}`}
          title={retryWord(job)}
          tabIndex={tabIndex}
          onClick={() => deeds.retry(job)}
        />
      )}
      {job.redone_by !== null && (
        <Link
          to="."
          search={withJobParam(job.redone_by)}
          resetScroll={false}
          tabIndex={tabIndex}
          aria-label={`${redone}\u00a0: ${name}`}
          title={redone}
          className={iconButtonClass ?? ''}
        >
          <CheckCheck size={18} strokeWidth={1.75} aria-hidden />
        </Link>
      )}
    </>
  );
}
