import { useEffect, useRef } from 'react';
import { type Signal, useSignal } from '../../ui/signal';
import { JobDetail } from './JobDetail';
import { JobsList } from './JobsList';
import styles from './JobsPanel.module.css';

type Props = {
  /** The id of the job in the detail. */
  job: string | undefined;
  /** Each increment moves the focus into the panel. */
  focusRequests: Signal<number>;
  onShow: (id: string | undefined) => void;
};

let handledRequest = 0;

const isFocusLost = () => document.activeElement === document.body || !document.activeElement?.checkVisibility();

function focusPanel(panel: HTMLElement | null): void {
  const row = panel?.querySelector<HTMLElement>('[data-row][tabindex="0"]');
  (row?.checkVisibility() ? row : panel)?.focus({ preventScroll: true });
}

/** The list of jobs with the detail of one beside it; on a narrow screen the detail replaces the list. */
export function JobsPanel({ job, focusRequests, onShow }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  const focusRequest = useSignal(focusRequests);
  const previous = useRef(job);
  useEffect(() => {
    const hasChanged = previous.current !== job;
    previous.current = job;
    // The focused element disappeared with the closed detail, or is hidden behind the new one.
    if (focusRequest !== handledRequest || (hasChanged && isFocusLost())) focusPanel(panel.current);
    handledRequest = focusRequest;
  }, [focusRequest, job]);
  return (
    <div ref={panel} tabIndex={-1} className={styles['panel']} data-shown={job !== undefined || undefined}>
      <div className={styles['list']}>
        <JobsList openId={job} onShow={onShow} />
      </div>
      {job !== undefined && <JobDetail key={job} id={job} onShow={onShow} />}
    </div>
  );
}
