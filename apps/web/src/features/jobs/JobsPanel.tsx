import { useEffect, useRef } from 'react';
import { type Signal, useSignal } from '../../ui/signal';
import { JobDetail } from './JobDetail';
import { JobsList } from './JobsList';
import styles from './JobsPanel.module.css';

type Props = {
  /** The one that is shown whole. */
  job: string | undefined;
  /** Rises when somebody asks for the panel: the focus goes there. */
  calls: Signal<number>;
  onShow: (id: string | undefined) => void;
};

let answered = 0;

/** The jobs, and beside them the one that is looked at; where there is room for one of both, that one. */
export function JobsPanel({ job, calls, onShow }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  const called = useSignal(calls);
  useEffect(() => {
    if (called === answered) return;
    answered = called;
    const row = panel.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]');
    (row?.checkVisibility() ? row : panel.current)?.focus({ preventScroll: true });
  }, [called]);
  return (
    <div ref={panel} tabIndex={-1} className={styles['panel']} data-shown={job !== undefined || undefined}>
      <div className={styles['list']}>
        <JobsList shown={job} onShow={onShow} />
      </div>
      {job !== undefined && <JobDetail key={job} id={job} onShow={onShow} />}
    </div>
  );
}
