import { Plus, X } from 'lucide-react';
import { IconButton } from '../../ui/IconButton';
import { useSignal } from '../../ui/signal';
import type { ConsoleSession } from './ConsoleSession';
import styles from './Tabs.module.css';
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
        className={styles['name']}
        onClick={() => {
          showTab(tab.key);
          tab.focus();
        }}
      >
        <span className={styles['dot']} data-tone={tone} aria-hidden />
        <span className={styles['text']}>{name}</span>
      </button>
      <button
        type="button"
        aria-label={`Fermer la console ${name}`}
        className={styles['close']}
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
    <nav aria-label="Consoles ouvertes" className={styles['tabs']}>
      <ul className={styles['list']}>
        {all.map((tab) => (
          <Tab key={tab.key} tab={tab} rank={rankOf(tab)} isCurrent={tab === current} onClose={onClose} />
        ))}
      </ul>
      <IconButton icon={Plus} label="Nouvelle console" className={styles['new']} onClick={onNew} />
    </nav>
  );
}
