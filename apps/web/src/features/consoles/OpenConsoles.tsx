import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Lines } from '../../ui/Lines';
import { useSignal } from '../../ui/signal';
import { Status } from '../../ui/Status';
import type { ConsoleSession } from './ConsoleSession';
import { NoConsole } from './NoConsole';
import { showTab, useTabs } from './tabs';
import { consolePage } from './targets';
import { stateLabel } from './words';

function ConsoleLine({ tab, onOpen }: { tab: ConsoleSession; onOpen?: (() => void) | undefined }) {
  const { state } = useSignal(tab.view);
  const { tone, word } = stateLabel(state);
  const open = () => {
    showTab(tab.key);
    onOpen?.();
  };
  return (
    <li>
      <Group
        wrap="nowrap"
        justify="space-between"
        gap={12}
        mih={52}
        p="4px var(--gutter)"
        fw={500}
        renderRoot={(props) => <Link {...props} {...consolePage(tab.target, tab.console)} />}
        onClick={open}
      >
        {tab.target.name}
        <Status tone={tone}>{word}</Status>
      </Group>
    </li>
  );
}

/** Links to the consoles, on a phone, where the dock has no room for a terminal. */
export function OpenConsoles({ onOpen }: { onOpen: () => void }) {
  const { all } = useTabs();
  if (all.length === 0) {
    return (
      <NoConsole>
        <p>{'«\u00a0Voir\u00a0», sur la ligne d’un serveur, en ouvre une.'}</p>
      </NoConsole>
    );
  }
  return <ConsoleLines tabs={all} onOpen={onOpen} />;
}

type LinesProps = { tabs: readonly ConsoleSession[]; onOpen?: () => void };

export const ConsoleLines = ({ tabs, onOpen }: LinesProps) => (
  <Lines aria-label="Consoles ouvertes">
    {tabs.map((tab) => (
      <ConsoleLine key={tab.key} tab={tab} onOpen={onOpen} />
    ))}
  </Lines>
);
