import { Box, Group, Text } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { IconButton } from '../../ui/IconButton';
import { useSignal } from '../../ui/signal';
import type { ConsoleSession } from './ConsoleSession';
import styles from './consoles.module.css';
import { showTab } from './tabs';
import { stateLabel } from './words';

type TabProps = { tab: ConsoleSession; rank: number; isCurrent: boolean; onClose: (tab: ConsoleSession) => void };

function Tab({ tab, rank, isCurrent, onClose }: TabProps) {
  const { state } = useSignal(tab.view);
  const { tone, word } = stateLabel(state);
  const name = rank === 1 ? tab.target.name : `${tab.target.name} (${rank})`;
  return (
    <li
      className={styles['tab']}
      data-current={isCurrent || undefined}
      data-prod={tab.target.type === 'prod' || undefined}
    >
      <button
        type="button"
        aria-current={isCurrent || undefined}
        aria-label={`${name}\u00a0: ${word}`}
        title={`${name}\u00a0: ${word}`}
        data-tab={tab.key}
        className={styles['tabName']}
        onClick={() => {
          showTab(tab.key);
          tab.focus();
        }}
      >
        <Box component="span" bg={`var(--${tone}-dot)`} className={styles['dot']} aria-hidden />
        <Text span truncate>
          {name}
        </Text>
      </button>
      <button
        type="button"
        aria-label={`Fermer la console ${name}`}
        className={styles['tabClose']}
        onClick={() => onClose(tab)}
      >
        <X size={14} aria-hidden />
      </button>
    </li>
  );
}

type Props = {
  all: readonly ConsoleSession[];
  current: ConsoleSession | undefined;
  onNew: () => void;
  onClose: (tab: ConsoleSession) => void;
};

export function Tabs({ all, current, onNew, onClose }: Props) {
  const rankOf = (tab: ConsoleSession) =>
    all.slice(0, all.indexOf(tab) + 1).filter(({ target }) => target.id === tab.target.id).length;
  return (
    <Group component="nav" aria-label="Consoles ouvertes" wrap="nowrap" align="stretch" gap={0} miw={0}>
      <ul className={styles['tabs']}>
        {all.map((tab) => (
          <Tab key={tab.key} tab={tab} rank={rankOf(tab)} isCurrent={tab === current} onClose={onClose} />
        ))}
      </ul>
      <IconButton icon={Plus} label="Nouvelle console" className={styles['besideTabs']} onClick={onNew} />
    </Group>
  );
}
