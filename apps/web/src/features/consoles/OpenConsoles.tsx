import { Link } from '@tanstack/react-router';
import { useSignal } from '../../ui/signal';
import { Status } from '../../ui/Status';
import type { ConsoleSession } from './ConsoleSession';
import { NoConsole } from './NoConsole';
import styles from './OpenConsoles.module.css';
import { showTab, useTabs } from './tabs';
import { stateLabel } from './words';

function ConsoleLine({ tab, onOpen }: { tab: ConsoleSession; onOpen: () => void }) {
  const { state } = useSignal(tab.view);
  const { tone, word } = stateLabel(state);
  const open = () => {
    showTab(tab.key);
    onOpen();
  };
  return (
    <li>
      <Link
        to="/servers/$serverId/console"
        params={{ serverId: tab.target.id }}
        search={tab.console === undefined ? {} : { console: tab.console }}
        className={styles['line'] ?? ''}
        onClick={open}
      >
        {tab.target.name}
        <Status tone={tone}>{word}</Status>
      </Link>
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
  return (
    <ul aria-label="Consoles ouvertes">
      {all.map((tab) => (
        <ConsoleLine key={tab.key} tab={tab} onOpen={onOpen} />
      ))}
    </ul>
  );
}
