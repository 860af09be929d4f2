import { Button } from '@mantine/core';
import { SquareTerminal } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { EmptyState } from '../../ui/EmptyState';
import { Hidden } from '../../ui/Hidden';
import { type Signal, useSignal } from '../../ui/signal';
import { Asks, CloseAsk } from './Asks';
import { ChooseServer } from './ChooseServer';
import type { ConsoleSession } from './ConsoleSession';
import styles from './ConsolesPanel.module.css';
import { FindBar } from './FindBar';
import { Headline, type Tool } from './Headline';
import { KeyBar } from './KeyBar';
import type { Deed } from './keys';
import { NoteBar } from './NoteBar';
import { Pane } from './Pane';
import { SettingsBar } from './SettingsBar';
import { endTab, openTab } from './sessions';
import { Tabs } from './Tabs';
import { neighbour, showTab, useTabs } from './tabs';

type Props = {
  isFull: boolean;
  /** Before the tabs. */
  lead?: ReactNode;
  /** Rises when somebody asks for the panel: the focus goes there. */
  calls?: Signal<number>;
  /** To the dock, or out of it. */
  onPlace: (tab: ConsoleSession) => void;
  onEmpty?: () => void;
};

const never: Signal<number> = { get: () => 0, set: () => undefined, subscribe: () => () => undefined };

function Shown({ tab, onDeed }: { tab: ConsoleSession; onDeed: (deed: Deed) => void }) {
  const { news } = useSignal(tab.view);
  return (
    <>
      <output>
        <Hidden>{news}</Hidden>
      </output>
      <NoteBar tab={tab} />
      <Pane tab={tab} onDeed={onDeed} />
      <KeyBar tab={tab} />
      <Asks tab={tab} />
    </>
  );
}

const Nothing = ({ onNew }: { onNew: () => void }) => (
  <EmptyState
    icon={SquareTerminal}
    title="Aucune console ouverte."
    actions={<Button onClick={onNew}>Nouvelle console</Button>}
  >
    <p>Une console reste ouverte d’un écran à l’autre, et 15{'\u00a0'}minutes après un rechargement ou une coupure.</p>
  </EmptyState>
);

/** Which dialog is open, and what closing a tab asks first. */
function useClosing(all: readonly ConsoleSession[], onEmpty: (() => void) | undefined) {
  const [closing, setClosing] = useState<ConsoleSession>();
  const afterClose = () => {
    setClosing(undefined);
    if (all.length === 1) onEmpty?.();
  };
  const close = (tab: ConsoleSession) => {
    const { state } = tab.view.get();
    const isOver = state.at === 'ended' || (state.at === 'gone' && !state.isAlive);
    if (isOver) void endTab(tab).then(afterClose);
    else setClosing(tab);
  };
  return { closing, close, afterClose, cancel: () => setClosing(undefined) };
}

const focusTab = (root: HTMLElement | null, tab: ConsoleSession) =>
  root?.querySelector<HTMLElement>(`[data-tab="${tab.key}"]`)?.focus();

export function ConsolesPanel({ isFull, lead, calls = never, onPlace, onEmpty }: Props) {
  const { all, current } = useTabs();
  const [tool, setTool] = useState<Tool>();
  const [isChoosing, setChoosing] = useState(false);
  const closing = useClosing(all, onEmpty);
  const root = useRef<HTMLElement>(null);
  const called = useSignal(calls);
  useEffect(() => current?.focus(), [called, current]);
  const toggle = (wanted: Tool) => setTool(tool === wanted ? undefined : wanted);
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
        <Tabs all={all} current={current} onNew={() => setChoosing(true)} onClose={closing.close} />
        {current && (
          <Headline
            tab={current}
            isFull={isFull}
            tool={tool}
            onTool={toggle}
            onPlace={() => onPlace(current)}
            onClose={() => closing.close(current)}
          />
        )}
      </div>
      {current && tool === 'search' && <FindBar key={`find-${current.key}`} tab={current} onClose={stopFinding} />}
      {current && tool === 'settings' && <SettingsBar tab={current} />}
      {current ? (
        <Shown key={current.key} tab={current} onDeed={(deed) => deeds[deed]?.(current)} />
      ) : (
        <Nothing onNew={() => setChoosing(true)} />
      )}
      {closing.closing && <CloseAsk tab={closing.closing} onClosed={closing.afterClose} onCancel={closing.cancel} />}
      {isChoosing && (
        <ChooseServer
          onClose={() => setChoosing(false)}
          onChoose={(target) => {
            setChoosing(false);
            openTab(target);
          }}
        />
      )}
    </section>
  );
}
