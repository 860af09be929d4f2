import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ServerOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { reasonOf } from '../../app/failed';
import { useServer } from '../../app/servers';
import { Hidden } from '../../ui/Hidden';
import { Notice } from '../../ui/EmptyState';
import { RetryButton } from '../../ui/RetryButton';
import { createSignal, useSignal } from '../../ui/signal';
import styles from './ConsolePage.module.css';
import type { ConsoleSession } from './ConsoleSession';
import { ConsolesPanel } from './ConsolesPanel';
import { Back } from './Headline';
import { isOver } from './link-state';
import { openKnown, openTab } from './sessions';
import { showTab, tabs, useTabs } from './tabs';
import { useLivingConsoles } from './useConsoles';

type Address = { serverId: string; console: string | undefined };
type Props = Address & {
  onShow: (address: Address) => void;
  onDock: () => void;
  onLeave: () => void;
};

/** The open tab that an address names, if any. */
const tabAt = ({ serverId, console }: Address) =>
  console === undefined
    ? tabs.get().findLast((tab) => tab.target.id === serverId && !isOver(tab.view.get().state))
    : tabs.get().find((tab) => tab.console === console);

/** Opens the console of the address, or a new one, once for each visit of the page. */
function useArrival(address: Address) {
  const { isFound, error: loss } = useLivingConsoles();
  // When the list of live consoles cannot be read, the console of the address is opened anyway.
  const isReady = isFound || loss !== undefined;
  const [arrival] = useState(() => createSignal(false));
  const isArrived = useSignal(arrival);
  const { all } = useTabs();
  const { currentData: server, error, isFetching, refetch } = useServer(address.serverId);
  useEffect(() => {
    if (!isReady || isArrived) return;
    const tab = tabAt(address);
    if (!tab && !server) return;
    arrival.set(true);
    if (tab) showTab(tab.key);
    else if (server && address.console !== undefined) openKnown(server, address.console);
    else if (server) openTab(server);
  }, [isReady, isArrived, arrival, address, server]);
  return { isThere: isArrived && all.length > 0, isArrived, error, isFetching, refetch };
}

/** Writes the visible console to the address, so that a reload reopens it. */
function Follow({ tab, address, onShow }: { tab: ConsoleSession; address: Address; onShow: Props['onShow'] }) {
  useSignal(tab.view);
  const shown = { serverId: tab.target.id, console: tab.console };
  const hasMoved = shown.serverId !== address.serverId || shown.console !== address.console;
  useEffect(() => {
    if (hasMoved) onShow({ serverId: shown.serverId, console: shown.console });
  }, [hasMoved, shown.serverId, shown.console, onShow]);
  return null;
}

function Missing({ sentence, isBusy, onRetry }: { sentence: string; isBusy: boolean; onRetry: () => void }) {
  return (
    <div className={styles['missing']}>
      <Notice
        icon={ServerOff}
        role="alert"
        title="Console"
        actions={
          <>
            <RetryButton isAsking={isBusy} onRetry={onRetry} />
            <Button renderRoot={(props) => <Link {...props} to="/servers" />}>Voir les serveurs</Button>
          </>
        }
      >
        <p>{`Impossible d'ouvrir la console.`}</p>
        <p>{sentence}</p>
      </Notice>
    </div>
  );
}

export function ConsolePage({ serverId, console, onShow, onDock, onLeave }: Props) {
  const address = { serverId, console };
  const { current } = useTabs();
  const { isThere, isArrived, error, isFetching, refetch } = useArrival(address);
  if (!isArrived && error) {
    const sentence = reasonOf(error, 'Ce serveur n’a pas pu être lu.');
    return <Missing sentence={sentence} isBusy={isFetching} onRetry={() => void refetch()} />;
  }
  return (
    <div className={styles['page']}>
      <h1>
        <Hidden>{current ? `Console de ${current.target.name}` : 'Console'}</Hidden>
      </h1>
      {isThere && current && <Follow tab={current} address={address} onShow={onShow} />}
      {isThere && <ConsolesPanel isFull lead={<Back onClick={onLeave} />} onPlace={onDock} onEmpty={onLeave} />}
    </div>
  );
}
