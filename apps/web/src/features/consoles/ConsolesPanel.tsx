import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { type Signal, useSignal } from '../../ui/signal';
import { TerminalConfirmations, CloseConfirmation } from './TerminalConfirmations';
import { ChooseServer } from './ChooseServer';
import type { ConsoleSession } from './ConsoleSession';
import styles from './consoles.module.css';
import { FindBar, KeyBar, SettingsBar } from './TerminalBars';
import { ConsoleHeader, type Tool } from './ConsoleHeader';
import type { Shortcut } from './keys';
import { isOver } from './link-state';
import { NoConsole } from './NoConsole';
import { NoteBar } from './NoteBar';
import { TerminalPane } from './TerminalPane';
import { endTab, openTab } from './sessions';
import { Tabs } from './Tabs';
import { neighbourTab, showTab, useTabs } from './tabs';
import { consolePage, type Target } from './targets';

type Props = {
  isFull: boolean;
  /** Shown before the tabs. */
  lead?: ReactNode;
  /** Each increment moves the focus into the panel. */
  focusRequests?: Signal<number>;
  /** Moves the console to the dock; in the dock it moves to its page. */
  onMove?: () => void;
  onEmpty?: () => void;
};

const noFocusRequests: Signal<number> = { get: () => 0, set: () => undefined, subscribe: () => () => undefined };

type TabAction = (tab: ConsoleSession) => void;
type Shortcuts = Partial<Record<Shortcut, TabAction>>;
type TabContentProps = { tab: ConsoleSession; takesFocus: () => boolean; shortcuts: Shortcuts };

function TabContent({ tab, takesFocus, shortcuts }: TabContentProps) {
  const { announcement } = useSignal(tab.view);
  return (
    <>
      <output>
        <VisuallyHidden>{announcement}</VisuallyHidden>
      </output>
      <NoteBar tab={tab} />
      <TerminalPane tab={tab} takesFocus={takesFocus} onShortcut={(shortcut) => shortcuts[shortcut]?.(tab)} />
      <KeyBar tab={tab} />
      <TerminalConfirmations tab={tab} />
    </>
  );
}

const NoTabs = ({ onNew }: { onNew: () => void }) => (
  <NoConsole action={<Button onClick={onNew}>Nouvelle console</Button>}>
    <p>Une console reste ouverte d’un écran à l’autre, et 15{'\u00a0'}minutes après un rechargement ou une coupure.</p>
  </NoConsole>
);

/** Closing a tab with a live shell asks first. */
function useClosing(all: readonly ConsoleSession[], onEmpty: (() => void) | undefined) {
  const [closing, setClosing] = useState<ConsoleSession>();
  const afterClose = () => {
    setClosing(undefined);
    if (all.length === 1) onEmpty?.();
  };
  const close = (tab: ConsoleSession) => {
    if (isOver(tab.view.get().state)) void endTab(tab).then(afterClose);
    else setClosing(tab);
  };
  return { closing, close, afterClose, cancel: () => setClosing(undefined) };
}

const focusTab = (root: HTMLElement | null, tab: ConsoleSession) =>
  root?.querySelector<HTMLElement>(`[data-tab="${tab.key}"]`)?.focus();

/** A page that loads with the dock open must not give the focus to the terminal. */
let handledRequest = 0;

/** Tells whether a terminal takes the focus when it is shown: always, except the first one of a dock that was already open. */
function useFocus(isFull: boolean, focusRequests: Signal<number>, current: ConsoleSession | undefined): () => boolean {
  const takesNext = useRef(isFull);
  useEffect(
    () =>
      focusRequests.subscribe(() => {
        handledRequest = focusRequests.get();
        current?.focus();
      }),
    [focusRequests, current],
  );
  return () => {
    const takes = takesNext.current || focusRequests.get() !== handledRequest;
    takesNext.current = true;
    handledRequest = focusRequests.get();
    return takes;
  };
}

function NewConsoleDialog({ onClose }: { onClose: () => void }) {
  const choose = (target: Target) => {
    onClose();
    openTab(target);
  };
  return <ChooseServer onClose={onClose} onChoose={choose} />;
}

/** The tool that is open above the terminal; its button opens and closes it. */
function useTool(current: ConsoleSession | undefined) {
  const [open, setOpen] = useState<Tool>();
  const close = () => {
    setOpen(undefined);
    current?.focus();
  };
  return { open, show: setOpen, toggle: (tool: Tool) => setOpen(open === tool ? undefined : tool), close };
}

/** The shortcuts that need nothing of the panel. */
const tabShortcuts: Shortcuts = {
  new: ({ target }) => openTab(target),
  previous: (tab) => showTab(neighbourTab(tab, -1)?.key),
  next: (tab) => showTab(neighbourTab(tab, 1)?.key),
};

export function ConsolesPanel({ isFull, lead, focusRequests = noFocusRequests, onMove, onEmpty }: Props) {
  const { all, current } = useTabs();
  const tool = useTool(current);
  const [isChoosing, setChoosing] = useState(false);
  const closing = useClosing(all, onEmpty);
  const root = useRef<HTMLElement>(null);
  const takesFocus = useFocus(isFull, focusRequests, current);
  const choose = () => setChoosing(true);
  const shortcuts: Shortcuts = {
    ...tabShortcuts,
    search: () => tool.show('search'),
    close: closing.close,
    leave: (tab) => focusTab(root.current, tab),
  };
  return (
    <section
      ref={root}
      aria-label={current ? `Console de ${current.target.name}` : 'Console'}
      className={styles['panel']}
      data-prod={current?.target.type === 'prod' || undefined}
    >
      <div className={styles['panelHead']}>
        {lead}
        <Tabs all={all} current={current} onNew={choose} onClose={closing.close} />
        {current && <TabHeader {...{ isFull, tool, onMove }} tab={current} onClose={closing.close} />}
      </div>
      {current && tool.open === 'search' && <FindBar key={`find-${current.key}`} tab={current} onClose={tool.close} />}
      {current && tool.open === 'settings' && <SettingsBar tab={current} />}
      {current ? (
        <TabContent key={current.key} tab={current} takesFocus={takesFocus} shortcuts={shortcuts} />
      ) : (
        <NoTabs onNew={choose} />
      )}
      {closing.closing && (
        <CloseConfirmation tab={closing.closing} onClosed={closing.afterClose} onCancel={closing.cancel} />
      )}
      {isChoosing && <NewConsoleDialog onClose={() => setChoosing(false)} />}
    </section>
  );
}

type TabHeaderProps = Pick<Props, 'isFull' | 'onMove'> & {
  tab: ConsoleSession;
  tool: ReturnType<typeof useTool>;
  onClose: TabAction;
};

function TabHeader({ tab, isFull, tool, onMove, onClose }: TabHeaderProps) {
  const navigate = useNavigate();
  const expand = () => void navigate(consolePage(tab.target, tab.console));
  return (
    <ConsoleHeader
      tab={tab}
      isFull={isFull}
      tool={tool.open}
      onTool={tool.toggle}
      onMove={onMove ?? expand}
      onClose={() => onClose(tab)}
    />
  );
}
