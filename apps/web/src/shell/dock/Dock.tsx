import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, ListChecks, SquareTerminal, X } from 'lucide-react';
import { type KeyboardEvent, useEffect } from 'react';
import { useTabs } from '../../features/consoles/tabs';
import { JobsSummary } from '../../features/jobs/JobsSummary';
import { useJobs, useJobsPolling } from '../../kit/job/useJobs';
import { IconButton } from '../../ui/IconButton';
import { clearsSearch } from '../../ui/useEscape';
import { useNarrow } from '../../ui/useNarrow';
import { LazyComponent } from '../layout/LazyComponent';
import menus from '../layout/menus.module.css';
import { type DockSize, dockFocusRequests, useDock } from './dock';
import styles from './dock.module.css';

const loadJobs = async () => (await import('../../features/jobs/JobsPanel')).JobsPanel;
const loadConsoles = async () => (await import('../../features/consoles/ConsolesPanel')).ConsolesPanel;
const loadSheet = async () => (await import('./DockSheet')).DockSheet;

const heights: Record<DockSize, string | null> = { hidden: null, bar: '40px', open: 'min(320px, 50dvh)' };

/** Publishes the height of the dock in CSS, for toasts above it and for scroll margins. */
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

type Props = ReturnType<typeof useDock>;

const views = [
  { view: 'jobs', label: 'Tâches', icon: ListChecks },
  { view: 'consoles', label: 'Consoles', icon: SquareTerminal },
] as const;

const Count = ({ children }: { children: number }) => (
  <Text span px={6} bdrs={8} bg="var(--neutral-tint)" c="var(--neutral)" fz={12}>
    {children}
  </Text>
);

/** Pressing the button of the view that is shown closes the dock. */
function Views({ size, view: currentView, openView, close }: Props) {
  const count = useTabs().all.length;
  return views.map(({ view, label, icon: Icon }) => {
    const isOpen = size === 'open' && view === currentView;
    const Chevron = isOpen ? ChevronDown : ChevronUp;
    return (
      <UnstyledButton
        key={view}
        px={8}
        fz={13}
        fw={600}
        aria-expanded={isOpen}
        className={`${menus['item']} ${styles['view']}`}
        onClick={() => (isOpen ? close('bar') : openView(view))}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden />
        {label}
        {view === 'consoles' && count > 0 && <Count>{count}</Count>}
        <Chevron size={16} aria-hidden />
      </UnstyledButton>
    );
  });
}

/** Moves a console to its full-screen page. */
function useFullScreen() {
  const navigate = useNavigate();
  return ({ target, console }: { target: { id: string }; console: string | undefined }) =>
    void navigate({
      to: '/servers/$serverId/console',
      params: { serverId: target.id },
      search: console === undefined ? {} : { console },
    });
}

function Body({ view, job: jobId, show, close }: Props) {
  const expand = useFullScreen();
  const fail = () => close('bar');
  return (
    <Stack gap={0} flex={1} mih={0}>
      {view === 'consoles' ? (
        <LazyComponent
          load={loadConsoles}
          onFail={fail}
          props={{ isFull: false, focusRequests: dockFocusRequests, onMove: expand }}
        />
      ) : (
        <LazyComponent
          load={loadJobs}
          onFail={fail}
          props={{ jobId, focusRequests: dockFocusRequests, onShow: show }}
        />
      )}
    </Stack>
  );
}

function Bar(props: Props) {
  const { size, view, job: jobId, close } = props;
  const isOpen = size === 'open';
  const name = view === 'jobs' ? 'Tâches' : 'Consoles';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOpen || clearsSearch(event)) return;
    // A dialog is a React child of the dock but lies outside its element, and closes by its own Escape.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    event.preventDefault();
    close('bar');
  };
  return (
    // Escape closes the dock when the focus is inside it.
    <Stack
      component="section"
      variant="lines"
      gap={0}
      flex="none"
      h="var(--dock)"
      aria-label={name}
      className={styles['dock']}
      data-size={size}
      onKeyDown={onKeyDown}
    >
      <Group wrap="nowrap" gap={12} flex="none" h={39} pl={12} pr={8}>
        <Views {...props} />
        <JobsSummary isShort={isOpen} isSilent={jobId !== undefined} />
        <IconButton
          icon={X}
          label={`Masquer les ${name.toLowerCase()}`}
          title={`Masquer les ${name.toLowerCase()}`}
          className={styles['hide']}
          onClick={() => close('hidden')}
        />
      </Group>
      {isOpen && <Body {...props} />}
    </Stack>
  );
}

/** The jobs and consoles under every screen; on a phone, a sheet over it. */
export function Dock() {
  useJobsPolling();
  const isNarrow = useNarrow(768);
  const { all } = useTabs();
  const dock = useDock(useJobs().jobs.length + all.length > 0);
  useHeight(isNarrow ? 'hidden' : dock.size);
  if (!isNarrow) return dock.size !== 'hidden' && <Bar {...dock} />;
  const { job: jobId, view, show, openView, close } = dock;
  const hide = () => close('hidden');
  const props = { jobId, view, onShow: show, onOpenView: openView, onClose: hide };
  return dock.size === 'open' && <LazyComponent load={loadSheet} onFail={hide} props={props} />;
}
