import { isFinal, type JobItem } from '@vigie/contracts/jobs';
import { Ban, Check, CheckCheck, RotateCcw } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { JobLink } from '../../kit/job/JobLink';
import { jobName } from '../../kit/job/kinds';
import { IconButton, iconButtonClass } from '../../ui/IconButton';
import { canAcknowledge } from './acknowledge';
import { canRetry, redoneLabel, retryLabel } from './retry';
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
      {canAcknowledge(job) && (
        <FocusRow>
          <IconButton
            icon={Check}
            label={`Prendre en compte\u00a0: ${name}`}
            title="Prendre en compte"
            tabIndex={tabIndex}
            onClick={() => handlers.acknowledge(job)}
          />
        </FocusRow>
      )}
      {job.redone_by !== null && <RedoneLink id={job.redone_by} name={name} tabIndex={tabIndex} />}
    </>
  );
}

function RedoneLink({ id, name, tabIndex }: Pick<Props, 'tabIndex'> & { id: string; name: string }) {
  return (
    <JobLink
      id={id}
      tabIndex={tabIndex}
      aria-label={`${redoneLabel}\u00a0: ${name}`}
      title={redoneLabel}
      className={iconButtonClass ?? ''}
    >
      <CheckCheck size={18} strokeWidth={1.75} aria-hidden />
    </JobLink>
  );
}
