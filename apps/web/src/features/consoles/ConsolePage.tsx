import { Box, Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ServerOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { failureReason } from '../../kit/query/failures';
import { useServer } from '../../kit/fleet/servers';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { Notice } from '../../ui/EmptyState';
import { RetryButton } from '../../ui/RetryButton';
import { createSignal, useSignal } from '../../ui/signal';
import type { ConsoleSession } from './ConsoleSession';
import { ConsolesPanel } from './ConsolesPanel';
import { BackButton } from './ConsoleHeader';
import { isOver } from './link-state';
import { openExisting, openTab } from './sessions';
import { showTab, tabs, useTabs } from './tabs';
import { useLiveConsoles } from './useConsoles';

type Address = {
  serverId: string;
  console: string | undefined;
  /** The site in whose folder a new console opens. */
  siteId?: string | undefined;
};
type Props = {
  address: Address;
  onShow: (address: Address) => void;
  onDock: () => void;
  onLeave: () => void;
};

/** The open tab that an address names, if any. */
const findTab = ({ serverId, console, siteId }: Address) =>
  console === undefined
    ? tabs.get().findLast(({ target, view }) => {
        const isSamePlace = target.id === serverId && (siteId === undefined || target.siteId === siteId);
        return isSamePlace && !isOver(view.get().state);
      })
    : tabs.get().find((tab) => tab.console === console);

/** Opens the console of the address, or a new one, once for each visit of the page. */
function useAddressedConsole(address: Address) {
  const { isListed, error: listError } = useLiveConsoles();
  // When the list of live consoles cannot be read, the console of the address is opened anyway.
  const isReady = isListed || listError !== undefined;
  const [opened] = useState(() => createSignal(false));
  const isOpened = useSignal(opened);
  const { all } = useTabs();
  const { currentData: server, error, isFetching, refetch } = useServer(address.serverId);
  useEffect(() => {
    if (!isReady || isOpened) return;
    const tab = findTab(address);
    if (!tab && !server) return;
    opened.set(true);
    if (tab) showTab(tab.key);
    else if (server && address.console !== undefined) openExisting(server, address.console);
    else if (server) openTab({ ...server, siteId: address.siteId });
  }, [isReady, isOpened, opened, address, server]);
  return { isVisible: isOpened && all.length > 0, isOpened, error, isFetching, refetch };
}

/** Writes the visible console to the address, so that a reload reopens it. */
function AddressSync({ tab, address, onShow }: { tab: ConsoleSession; address: Address; onShow: Props['onShow'] }) {
  useSignal(tab.view);
  const current = { serverId: tab.target.id, console: tab.console };
  const hasMoved = current.serverId !== address.serverId || current.console !== address.console;
  useEffect(() => {
    if (hasMoved) onShow({ serverId: current.serverId, console: current.console });
  }, [hasMoved, current.serverId, current.console, onShow]);
  return null;
}

function MissingServer({ sentence, isBusy, onRetry }: { sentence: string; isBusy: boolean; onRetry: () => void }) {
  return (
    <Box m="auto" p="var(--gutter)">
      <Notice
        icon={ServerOff}
        role="alert"
        title="Console"
        actions={
          <>
            <RetryButton isBusy={isBusy} onRetry={onRetry} />
            <Button renderRoot={(props) => <Link {...props} to="/servers" />}>Voir les serveurs</Button>
          </>
        }
      >
        <p>{`Impossible d'ouvrir la console.`}</p>
        <p>{sentence}</p>
      </Notice>
    </Box>
  );
}

export function ConsolePage({ address, onShow, onDock, onLeave }: Props) {
  const { current } = useTabs();
  const { isVisible, isOpened, error, isFetching, refetch } = useAddressedConsole(address);
  if (!isOpened && error) {
    const sentence = failureReason(error, 'Ce serveur n’a pas pu être lu.');
    return <MissingServer sentence={sentence} isBusy={isFetching} onRetry={() => void refetch()} />;
  }
  return (
    <Stack gap={0} flex={1} miw={0} mih={0}>
      <h1>
        <VisuallyHidden>{current ? `Console de ${current.target.name}` : 'Console'}</VisuallyHidden>
      </h1>
      {isVisible && current && <AddressSync tab={current} address={address} onShow={onShow} />}
      {isVisible && <ConsolesPanel isFull lead={<BackButton onClick={onLeave} />} onMove={onDock} onEmpty={onLeave} />}
    </Stack>
  );
}
