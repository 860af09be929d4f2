import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronUp, SquareTerminal, X } from 'lucide-react';
import { type KeyboardEvent, useEffect } from 'react';
import { useTabs } from '../../features/consoles/tabs';
import { JobsLine } from '../../features/jobs/JobsLine';
import { useJobs, useJobsPolling } from '../../kit/job/useJobs';
import { IconButton } from '../../ui/IconButton';
import { clearsSearch } from '../../ui/useEscape';
import { useNarrow } from '../../ui/useNarrow';
import { LazyComponent } from '../layout/LazyComponent';
import menus from '../layout/menus.module.css';
import { type DockSize, dockFocusRequests, openConsoles, resizeDock, useDockSize } from './dock';
import styles from './dock.module.css';

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

const Count = ({ children }: { children: number }) => (
  <Text span px={6} bdrs={8} bg="var(--neutral-tint)" c="var(--neutral)" fz={12}>
    {children}
  </Text>
);

/** Opens and closes the consoles. */
function ConsolesButton({ isOpen }: { isOpen: boolean }) {
  const count = useTabs().all.length;
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  return (
    <UnstyledButton
      px={8}
      fz={13}
      fw={600}
      aria-expanded={isOpen}
      className={`${menus['item']} ${styles['view']}`}
      onClick={() => (isOpen ? resizeDock('bar') : openConsoles())}
    >
      <SquareTerminal size={16} strokeWidth={1.75} aria-hidden />
      Consoles
      {count > 0 && <Count>{count}</Count>}
      <Chevron size={16} aria-hidden />
    </UnstyledButton>
  );
}

function Body() {
  return (
    <Stack gap={0} flex={1} mih={0}>
      <LazyComponent
        load={loadConsoles}
        onFail={() => resizeDock('bar')}
        props={{ isFull: false, focusRequests: dockFocusRequests }}
      />
    </Stack>
  );
}

function Bar({ size }: { size: DockSize }) {
  const isOpen = size === 'open';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOpen || clearsSearch(event)) return;
    // A dialog is a React child of the dock but lies outside its element, and closes by its own Escape.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    event.preventDefault();
    resizeDock('bar');
  };
  return (
    // Escape closes the dock when the focus is inside it.
    <Stack
      component="section"
      variant="lines"
      gap={0}
      flex="none"
      h="var(--dock)"
      aria-label="Tâches et consoles"
      className={styles['dock']}
      data-size={size}
      onKeyDown={onKeyDown}
    >
      <Group wrap="nowrap" gap={12} flex="none" h={39} pl="var(--gutter)" pr={8}>
        <JobsLine />
        <ConsolesButton isOpen={isOpen} />
        <IconButton
          icon={X}
          label="Masquer les tâches et consoles"
          title="Masquer"
          className={styles['hide']}
          onClick={() => resizeDock('hidden')}
        />
      </Group>
      {isOpen && <Body />}
    </Stack>
  );
}

/** The newest job and the consoles under every screen; on a phone, a sheet of the consoles over it. */
export function Dock() {
  useJobsPolling();
  const isNarrow = useNarrow(768);
  const { all } = useTabs();
  const size = useDockSize(useJobs().jobs.length + all.length > 0);
  useHeight(isNarrow ? 'hidden' : size);
  if (!isNarrow) return size !== 'hidden' && <Bar size={size} />;
  const hide = () => resizeDock('hidden');
  return size === 'open' && <LazyComponent load={loadSheet} onFail={hide} props={{ onClose: hide }} />;
}
