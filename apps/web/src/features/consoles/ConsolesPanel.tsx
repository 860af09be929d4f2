import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Hidden } from '../../ui/Hidden';
import { type Signal, useSignal } from '../../ui/signal';
import { Asks, CloseAsk } from './Asks';
import { ChooseServer } from './ChooseServer';
import type { ConsoleSession, Target } from './ConsoleSession';
import styles from './ConsolesPanel.module.css';
import { FindBar } from './FindBar';
import { Headline, type Tool } from './Headline';
import { KeyBar } from './KeyBar';
import type { Deed } from './keys';
import { isOver } from './link-state';
import { NoConsole } from './NoConsole';
import { NoteBar } from './NoteBar';
import { Pane } from './Pane';
import { SettingsBar } from './SettingsBar';
import { endTab, openTab } from './sessions';
import { Tabs } from './Tabs';
import { neighbour, showTab, useTabs } from './tabs';

type Props = {
  isFull: boolean;
  /** Shown before the tabs. */
  lead?: ReactNode;
  /** Each increment moves the focus into the panel. */
  calls?: Signal<number>;
  /** Moves the console to the dock or to the full screen. */
  onPlace: (tab: ConsoleSession) => void;
  onEmpty?: () => void;
};

const never: Signal<number> = { get: () => 0, set: () => undefined, subscribe: () => () => undefined };

type ShownProps = { tab: ConsoleSession; takesFocus: () => boolean; onDeed: (deed: Deed) => void };

function Shown({ tab, takesFocus, onDeed }: ShownProps) {
  const { news } = useSignal(tab.view);
  return (
    <>
      <output>
        <Hidden>{news}</Hidden>
      </output>
      <NoteBar tab={tab} />
      <Pane tab={tab} takesFocus={takesFocus} onDeed={onDeed} />
      <KeyBar tab={tab} />
      <Asks tab={tab} />
    </>
  );
}

const Nothing = ({ onNew }: { onNew: () => void }) => (
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
let answered = 0;

/** Tells whether a terminal takes the focus when it is shown: always, except the first one of a dock that was already open. */
function useFocus(isFull: boolean, calls: Signal<number>, current: ConsoleSession | undefined): () => boolean {
  const isWanted = useRef(isFull);
  useEffect(
    () =>
      calls.subscribe(() => {
        answered = calls.get();
        current?.focus();
      }),
    [calls, current],
  );
  return () => {
    const takes = isWanted.current || calls.get() !== answered;
    isWanted.current = true;
    answered = calls.get();
    return takes;
  };
}

function Choosing({ onClose }: { onClose: () => void }) {
  const choose = (target: Target) => {
    onClose();
    openTab(target);
  };
  return <ChooseServer onClose={onClose} onChoose={choose} />;
}

export function ConsolesPanel({ isFull, lead, calls = never, onPlace, onEmpty }: Props) {
  const { all, current } = useTabs();
  const [tool, setTool] = useState<Tool>();
  const [isChoosing, setChoosing] = useState(false);
  const closing = useClosing(all, onEmpty);
  const root = useRef<HTMLElement>(null);
  const takesFocus = useFocus(isFull, calls, current);
  const choose = () => setChoosing(true);
  const deeds: Partial<Record<Deed, (tab: ConsoleSession) => void>> = {
    search: () => setTool('search'),
    new: ({ target }) => openTab(target),
    close: closing.close,
    previous: (tab) => showTab(neighbour(tab, -1)?.key),
    next: (tab) => showTab(neighbour(tab, 1)?.key),
    leave: (tab) => focusTab(root.current, tab),
  };
  const stopFinding = () => {
    setTool(undefined);
    current?.focus();
  };
  return (
    <section
      ref={root}
      aria-label={current ? `Console de ${current.target.name}` : 'Console'}
      className={styles['panel']}
      data-prod={current?.target.type === 'prod' || undefined}
    >
      <div className={styles['head']}>
        {lead}
        <Tabs all={all} current={current} onNew={choose} onClose={closing.close} />
        {current && (
          <Headline
            tab={current}
            isFull={isFull}
            tool={tool}
            onTool={(wanted) => setTool(tool === wanted ? undefined : wanted)}
            onPlace={() => onPlace(current)}
            onClose={() => closing.close(current)}
          />
        )}
      </div>
      {current && tool === 'search' && <FindBar key={`find-${current.key}`} tab={current} onClose={stopFinding} />}
      {current && tool === 'settings' && <SettingsBar tab={current} />}
      {current ? (
        <Shown key={current.key} tab={current} takesFocus={takesFocus} onDeed={(deed) => deeds[deed]?.(current)} />
      ) : (
        <Nothing onNew={choose} />
      )}
      {closing.closing && <CloseAsk tab={closing.closing} onClosed={closing.afterClose} onCancel={closing.cancel} />}
      {isChoosing && <Choosing onClose={() => setChoosing(false)} />}
    </section>
  );
}
