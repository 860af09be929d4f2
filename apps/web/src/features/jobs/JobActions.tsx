import { Link } from '@tanstack/react-router';
import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { Ban, CheckCheck, RotateCcw } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { withJobParam } from '../../kit/job/withJobParam';
import { IconButton, iconButtonClass } from '../../ui/IconButton';
import { canRetry, redoneLabel, retryLabel } from './retry';
import { jobName } from '../../kit/job/kinds';
import type { JobHandlers } from './useJobActions';

/** The counts of a batch hold only the user's own jobs, so it may be open without any of them being so. */
const hasOpen = (counts: JobItem['counts']) => counts === null || counts.queued + counts.running > 0;

export const canCancel = (job: JobItem) => !isFinal(job.state) && !job.is_cancelling && hasOpen(job.counts);

/** A button that disappears after its action moves the focus to its row. */
function FocusRow({ children }: { children: ReactNode }) {
  const container = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const { current: element } = container;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      element.closest('[data-state]')?.querySelector<HTMLElement>('[data-row]')?.focus({ preventScroll: true });
    };
  }, []);
  return <span ref={container}>{children}</span>;
}

type Props = { job: JobItem; handlers: JobHandlers; tabIndex: 0 | -1 };

export function JobActions({ job, handlers, tabIndex }: Props) {
  const name = jobName(job);
  const cancel = `Annuler\u00a0: ${name}`;
  return (
    <>
      {canCancel(job) && (
        <FocusRow>
          <IconButton
            icon={Ban}
            label={cancel}
            title="Annuler"
            tabIndex={tabIndex}
            onClick={() => handlers.cancel(job)}
          />
        </FocusRow>
      )}
      {canRetry(job) && (
        <IconButton
          icon={RotateCcw}
          label={`${retryLabel(job)}\u00a0: ${name}`}
          title={retryLabel(job)}
          tabIndex={tabIndex}
          onClick={() => handlers.retry(job)}
        />
      )}
      {job.redone_by !== null && <RedoneLink id={job.redone_by} name={name} tabIndex={tabIndex} />}
    </>
  );
}

function RedoneLink({ id, name, tabIndex }: Pick<Props, 'tabIndex'> & { id: string; name: string }) {
  return (
    <Link
      to="."
      search={withJobParam(id)}
      resetScroll={false}
      tabIndex={tabIndex}
      aria-label={`${redoneLabel}\u00a0: ${name}`}
      title={redoneLabel}
      className={iconButtonClass ?? ''}
    >
      <CheckCheck size={18} strokeWidth={1.75} aria-hidden />
    </Link>
  );
}
