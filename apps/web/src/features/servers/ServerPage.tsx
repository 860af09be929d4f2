import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.layer.css';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Server } from '@vigie/contracts/servers';
import { ServerOff } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { PendingCard } from '../../kit/list/PendingCard';
import { type ChangeSearch, changeSearch } from '../../kit/list/search-params';
import { isApiError } from '../../kit/query/api-error';
import { failureMessage } from '../../kit/query/failures';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { Notice } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { usePageTitle } from '../../ui/pageTitle';
import { RetryButton } from '../../ui/RetryButton';
import { DeleteServer } from './DeleteServer';
import { KeyCard, needsKeyInstall, TestCard } from './ServerAccess';
import { ServerAlerts } from './ServerAlerts';
import { EditServer } from './ServerDialog';
import { ServerHead } from './ServerHead';
import type { ServerSearch } from './search';
import { serversApi } from './servers.api';
import { useCopyKey } from './useCopyKey';
import { type ServerDiagnosis, useLastTest, useServerTest } from './useServerTest';
import { useStatusPolling } from './useStatusPolling';

const pollMs = 60_000;
const readFailed = 'Impossible de lire ce serveur.';

/** What other features show of a server. */
type Parts = Record<'openIncidents' | 'pastIncidents' | 'health' | 'sites' | 'consoles', ReactNode>;
type LoadedProps = { server: Server; search: ServerSearch; parts: Parts; onDeleted: () => void };

function useShow(serverId: string): ChangeSearch<ServerSearch> {
  const navigate = useNavigate();
  return (change, options) =>
    void navigate({ to: '/servers/$serverId', params: { serverId }, ...changeSearch<ServerSearch>(change, options) });
}

/** Checks the state each minute, as the list does. */
function usePolling({ id, status: { checked_at: checkedAt } }: Server): void {
  const servers = useMemo(
    () => [{ id, checkedAt: checkedAt === null ? undefined : Date.parse(checkedAt) }],
    [id, checkedAt],
  );
  useStatusPolling(servers);
}

/** A server that was never reached begins with its key, and stays so until the page is left: a test must not move away. */
function useKeyFirst(server: Server): boolean {
  const isNeeded = needsKeyInstall(server);
  const [isFirst, setFirst] = useState(isNeeded);
  if (isNeeded && !isFirst) setFirst(true);
  return isFirst;
}

const Columns = ({ left, right }: { left: ReactNode; right: ReactNode }) => (
  <SimpleGrid cols={{ base: 1, md: 2 }} spacing={16} style={{ alignItems: 'start' }}>
    <Stack gap={16} miw={0}>
      {left}
    </Stack>
    <Stack gap={16} miw={0}>
      {right}
    </Stack>
  </SimpleGrid>
);

type ContentProps = Pick<LoadedProps, 'server' | 'parts'> & { diagnosis: ServerDiagnosis };

function Content({ server, parts, diagnosis }: ContentProps) {
  const test = <TestCard server={server} diagnosis={diagnosis} />;
  const key = <KeyCard server={server} />;
  const alerts = <ServerAlerts status={server.status} />;
  if (useKeyFirst(server)) {
    // The first status comes while the key is being copied, and must not move the test away from the pointer.
    return (
      <>
        <Columns left={key} right={test} />
        {alerts}
        {parts.health}
        <Columns left={parts.sites} right={parts.consoles} />
        {parts.pastIncidents}
      </>
    );
  }
  const left = (
    <>
      {parts.sites}
      {parts.consoles}
    </>
  );
  const right = (
    <>
      {test}
      {key}
      {parts.pastIncidents}
    </>
  );
  return (
    <>
      {alerts}
      {parts.health}
      <Columns left={left} right={right} />
    </>
  );
}

function LoadedServer({ server, search, parts, onDeleted }: LoadedProps) {
  const { id } = server;
  const show = useShow(id);
  const lastTest = useLastTest(id);
  const diagnosis = useServerTest({ open: id, test: search.test ?? lastTest }, (test) => show({ test }));
  const [isDeleting, setDeleting] = useState(false);
  const keyCopy = useCopyKey();
  usePageTitle(server.name);
  usePolling(server);
  return (
    <>
      <ServerHead
        server={server}
        isTesting={diagnosis.isRunning}
        onTest={() => diagnosis.run(id)}
        onEdit={() => show({ edit: true })}
        onCopyKey={() => keyCopy.copy(server)}
        onGive={() => show({ owner: true })}
        onDelete={() => setDeleting(true)}
      />
      {parts.openIncidents}
      <Content server={server} parts={parts} diagnosis={diagnosis} />
      {search.edit && (
        <EditServer
          id={id}
          onSaved={() => show({ edit: undefined }, { isSaved: true })}
          onClose={() => show({ edit: undefined })}
        />
      )}
      {isDeleting && <DeleteServer server={server} onClose={() => setDeleting(false)} onDeleted={onDeleted} />}
      {keyCopy.dialog}
    </>
  );
}

function ServerNotFound({ id }: { id: string }) {
  usePageTitle('Serveur introuvable');
  return (
    <Notice
      icon={ServerOff}
      title="Serveur introuvable"
      actions={<Button renderRoot={(props) => <Link {...props} to="/servers" search={{}} />}>Voir les serveurs</Button>}
    >
      <p>
        {'Aucun serveur ne porte l’identifiant '}
        <Text component="code" ff="monospace" fz={13}>
          {id}
        </Text>
      </p>
    </Notice>
  );
}

function useServerQuery(id: string) {
  const pollingInterval = usePollInterval(serversApi.endpoints.server.useQueryState({ id }), pollMs);
  return serversApi.useServerQuery({ id }, { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible });
}

type Props = { id: string; search: ServerSearch; parts: Parts };

/** All that Vigie knows of one server: its state, its measures, its sites, its test and its key. */
export function ServerPage({ id, search, parts }: Props) {
  const { currentData: server, error, isFetching, refetch } = useServerQuery(id);
  const navigate = useNavigate();
  const [deletedId, setDeletedId] = useState<string>();
  // After a deletion the server is read once more while the list loads: that 404 must not show.
  const failure = deletedId === id ? undefined : error;
  if (isApiError(failure) && (failure.status === 404 || failure.status === 400)) return <ServerNotFound id={id} />;
  const showList = () => {
    setDeletedId(id);
    void navigate({ to: '/servers', search: {}, replace: true });
  };
  const sentence = failureMessage(failure, readFailed);
  return (
    <Stack gap={16} maw={1440}>
      {server && (
        <Failure sentence={sentence}>
          <RetryButton isBusy={isFetching} onRetry={refetch} />
        </Failure>
      )}
      {server && <LoadedServer key={id} server={server} search={search} parts={parts} onDeleted={showList} />}
      {!server && (
        <>
          <h1>Serveur</h1>
          <PendingCard failure={readFailed} error={failure} isFetching={isFetching} onRetry={() => void refetch()} />
        </>
      )}
    </Stack>
  );
}
