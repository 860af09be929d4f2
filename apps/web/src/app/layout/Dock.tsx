import { useMediaQuery } from '@mantine/hooks';
import { ChevronDown, ChevronUp, ListChecks, X } from 'lucide-react';
import { type KeyboardEvent, useEffect } from 'react';
import { JobsSummary } from '../../features/jobs/JobsSummary';
import { useJobs, useJobsWatch } from '../../features/jobs/useJobs';
import { IconButton } from '../../ui/IconButton';
import styles from './Dock.module.css';
import { type DockSize, dockCalls, openDock, useDock } from './dock';
import { Late } from './Late';

const loadJobs = async () => (await import('../../features/jobs/JobsPanel')).JobsPanel;
const loadSheet = async () => (await import('./DockSheet')).DockSheet;

const heights: Record<DockSize, string | null> = { hidden: null, bar: '40px', open: 'min(320px, 50dvh)' };

/** What stands on the dock, and what is scrolled to, must know how high it is. */
function useHeight(size: DockSize): void {
  const height = heights[size];
  useEffect(() => {
    const { style } = document.documentElement;
    if (height === null) return undefined;
    style.setProperty('--dock', height);
    style.setProperty('--dock-room', 'calc(var(--dock) + var(--footer))');
    return () => {
      for (const name of ['--dock', '--dock-room']) style.removeProperty(name);
    };
  }, [height]);
}

/** An open field that has something in it is emptied first. */
const isEmptied = ({ target }: KeyboardEvent) => target instanceof HTMLInputElement && target.value !== '';

type Props = ReturnType<typeof useDock>;

function Bar({ size, job, show, close }: Props) {
  const isOpen = size === 'open';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOpen || isEmptied(event)) return;
    event.preventDefault();
    close('bar');
  };
  return (
    // Escape closes what has the focus in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section aria-label="Tâches" className={styles['dock']} data-size={size} onKeyDown={onKeyDown}>
      <div className={styles['bar']}>
        <button
          type="button"
          aria-expanded={isOpen}
          className={styles['toggle']}
          onClick={() => (isOpen ? close('bar') : openDock())}
        >
          <ListChecks size={16} strokeWidth={1.75} aria-hidden />
          Tâches
          {isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronUp size={16} aria-hidden />}
        </button>
        <JobsSummary isShort={isOpen} isSilent={job !== undefined} />
        <IconButton
          icon={X}
          label="Masquer les tâches"
          title="Masquer les tâches"
          className={styles['hide']}
          onClick={() => close('hidden')}
        />
      </div>
      {isOpen && (
        <div className={styles['body']}>
          <Late load={loadJobs} onFail={() => close('bar')} props={{ job, calls: dockCalls, onShow: show }} />
        </div>
      )}
    </section>
  );
}

/** The work that goes on, under every screen; on a phone it is a sheet over it. */
export function Dock() {
  useJobsWatch();
  const isNarrow = useMediaQuery('(width < 768px)', undefined, { getInitialValueInEffect: false });
  const dock = useDock(useJobs().jobs.length > 0);
  useHeight(isNarrow ? 'hidden' : dock.size);
  if (!isNarrow) return dock.size !== 'hidden' && <Bar {...dock} />;
  const { job, show, close } = dock;
  const hide = () => close('hidden');
  return dock.size === 'open' && <Late load={loadSheet} onFail={hide} props={{ job, onShow: show, onClose: hide }} />;
}
