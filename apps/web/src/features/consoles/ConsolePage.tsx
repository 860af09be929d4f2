import { Box, Button, Stack } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { ServerOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { failureReason } from '../../kit/query/failures';
import { useServer } from '../../kit/fleet/servers';
import { useSite } from '../../kit/fleet/sites';
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
import { consolePage, siteTarget, type Target } from './targets';
import { useLiveConsoles } from './useConsoles';

type Address = Pick<Target, 'id' | 'isSite' | 'siteId'> & { console: string | undefined };
type Props = {
  address: Address;
  onDock: () => void;
  onLeave: () => void;
};

/** The open tab that an address names, if any. */
const findTab = ({ id, console, siteId }: Address) =>
  console === undefined
    ? tabs.get().findLast(({ target, view }) => {
        const isSamePlace = target.id === id && (siteId === undefined || target.siteId === siteId);
        return isSamePlace && !isOver(view.get().state);
      })
    : tabs.get().find((tab) => tab.console === console);

/** The server or site of an address. */
function useTarget({ id, isSite }: Address) {
  const server = useServer(isSite ? undefined : id);
  const site = useSite(isSite ? id : undefined);
  const target = isSite ? site.currentData && siteTarget(site.currentData) : server.currentData;
  const { error, isFetching, refetch } = isSite ? site : server;
  return { target, error, isFetching, refetch };
}

/** Opens the console of the address, or a new one, once for each visit of the page. */
function useAddressedConsole(address: Address) {
  const { isListed, error: listError } = useLiveConsoles();
  // When the list of live consoles cannot be read, the console of the address is opened anyway.
  const isReady = isListed || listError !== undefined;
  const [opened] = useState(() => createSignal(false));
  const isOpened = useSignal(opened);
  const { all } = useTabs();
  const { target, error, isFetching, refetch } = useTarget(address);
  useEffect(() => {
    if (!isReady || isOpened) return;
    const tab = findTab(address);
    if (!tab && !target) return;
    opened.set(true);
    if (tab) showTab(tab.key);
    else if (target && address.console !== undefined) openExisting(target, address.console);
    else if (target) openTab({ ...target, siteId: address.siteId });
  }, [isReady, isOpened, opened, address, target]);
  return { isVisible: isOpened && all.length > 0, isOpened, error, isFetching, refetch };
}

/** Writes the visible console to the address, so that a reload reopens it. */
function AddressSync({ tab, address }: { tab: ConsoleSession; address: Address }) {
  useSignal(tab.view);
  const navigate = useNavigate();
  const { console, target } = tab;
  const { id, isSite } = target;
  const hasMoved = id !== address.id || console !== address.console;
  useEffect(() => {
    if (hasMoved) void navigate({ ...consolePage({ id, isSite }, console), replace: true });
  }, [hasMoved, id, isSite, console, navigate]);
  return null;
}

type MissingProps = { isSite: boolean; back: ReactNode; error: unknown; isBusy: boolean; onRetry: () => void };

function MissingPlace({ isSite, back, error, isBusy, onRetry }: MissingProps) {
  return (
    <Box m="auto" p="var(--gutter)">
      <Notice
        icon={ServerOff}
        role="alert"
        title="Console"
        actions={
          <>
            <RetryButton isBusy={isBusy} onRetry={onRetry} />
            {isSite ? (
              back
            ) : (
              <Button renderRoot={(props) => <Link {...props} to="/servers" />}>Voir les serveurs</Button>
            )}
          </>
        }
      >
        <p>{`Impossible d'ouvrir la console.`}</p>
        <p>{failureReason(error, `Ce ${isSite ? 'site' : 'serveur'} n’a pas pu être lu.`)}</p>
      </Notice>
    </Box>
  );
}

export function ConsolePage({ address, onDock, onLeave }: Props) {
  const { current } = useTabs();
  const { isSite = false } = address;
  const { isVisible, isOpened, error, isFetching, refetch } = useAddressedConsole(address);
  const back = <BackButton label={isSite ? 'Revenir au site' : 'Revenir aux serveurs'} onClick={onLeave} />;
  if (!isOpened && error)
    return <MissingPlace {...{ isSite, back, error }} isBusy={isFetching} onRetry={() => void refetch()} />;
  return (
    <Stack gap={0} flex={1} miw={0} mih={0}>
      <h1>
        <VisuallyHidden>{current ? `Console de ${current.target.name}` : 'Console'}</VisuallyHidden>
      </h1>
      {isVisible && current && <AddressSync tab={current} address={address} />}
      {isVisible && <ConsolesPanel isFull lead={back} onMove={onDock} onEmpty={onLeave} />}
    </Stack>
  );
}
