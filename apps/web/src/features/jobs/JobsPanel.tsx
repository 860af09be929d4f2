import { Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type Signal, useSignal } from '../../ui/signal';
import { JobDetail } from './JobDetail';
import { JobsList } from './JobsList';
import styles from './jobs.module.css';

type Props = {
  /** The id of the job in the detail. */
  jobId: string | undefined;
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
export function JobsPanel({ jobId, focusRequests, onShow }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  const focusRequest = useSignal(focusRequests);
  const previous = useRef(jobId);
  const isAlone = jobId === undefined;
  useEffect(() => {
    const hasChanged = previous.current !== jobId;
    previous.current = jobId;
    // The focused element disappeared with the closed detail, or is hidden behind the new one.
    if (focusRequest !== handledRequest || (hasChanged && isFocusLost())) focusPanel(panel.current);
    handledRequest = focusRequest;
  }, [focusRequest, jobId]);
  return (
    <div ref={panel} tabIndex={-1} className={styles['panel']}>
      <Stack
        gap={0}
        flex={isAlone ? '1 1 0' : '0 1 440px'}
        miw={0}
        mih={0}
        className={isAlone ? undefined : styles['beside']}
      >
        <JobsList openId={jobId} onShow={onShow} />
      </Stack>
      {!isAlone && <JobDetail key={jobId} id={jobId} onShow={onShow} />}
    </div>
  );
}
