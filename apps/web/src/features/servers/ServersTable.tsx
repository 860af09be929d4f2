import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { HealthItem } from '@vigie/contracts/server-health';
import type { Server } from '@vigie/contracts/servers';
import type { ReactNode } from 'react';
import { useGroupNames } from '../../kit/fleet/groups';
import { useOwnerLabel } from '../../kit/fleet/owners';
import { actionsColumn, type Column } from '../../kit/list/data-table';
import { DataTable } from '../../kit/list/DataTable';
import { sortControls } from '../../kit/list/search-params';
import links from '../../ui/links.module.css';
import table from '../../kit/list/list.module.css';
import type { Selection } from '../../kit/list/useSelection';
import { AddressLine } from '../../ui/AddressLine';
import cards from '../../ui/Cards.module.css';
import { Sparkline } from '../../ui/Sparkline';
import { TypeBadge } from '../../ui/Status';
import { useNarrow } from '../../ui/useNarrow';
import { type ServerActionHandlers, ServerActions } from './ServerActions';
import { ServerState, Uptime } from './ServerState';
import styles from './servers.module.css';
import { columns as sortable, type ServersSearch } from './search';
import { columnLabels as labels } from './words';

export type ListProps = {
  servers: readonly Server[];
  search: ServersSearch;
  actions: ServerActionHandlers;
  selection: Selection;
  loads: ReadonlyMap<string, HealthItem>;
  onChange: (change: Partial<ServersSearch>) => void;
};

const ServerLink = ({ server }: { server: Server }) => (
  <Link to="/servers/$serverId" params={{ serverId: server.id }} search={{}} className={links['name'] ?? ''}>
    {server.name}
  </Link>
);

function useGroupsText({ groups }: Server, separator: string) {
  const groupNames = useGroupNames();
  return groupNames(groups)
    .map(({ name }) => name)
    .join(separator);
}

function ServerName({ server, isWide }: { server: Server; isWide: boolean }) {
  const lines = [useOwnerLabel(server), !isWide && server.provider, useGroupsText(server, ', ')];
  return (
    <>
      <ServerLink server={server} />
      {lines.map(
        (line) =>
          line && (
            <p key={line} className={table['more']}>
              {line}
            </p>
          ),
      )}
    </>
  );
}

function ServerFacts({ server }: { server: Server }) {
  const facts = [useOwnerLabel(server), server.provider, useGroupsText(server, ' · ')];
  return (
    <div className={styles['more']}>
      <AddressLine server={server} />
      <p>{facts.filter(Boolean).join(' · ')}</p>
    </div>
  );
}

const uptimeText = ({ status: { uptime } }: Server) => uptime !== null && `Uptime\u00a0: ${uptime}`;

const TwoLines = ({ text }: { text: string }) => (
  <span title={text} className={styles['twoLines']}>
    {text}
  </span>
);

type CellProps = { server: Server; load: ReactNode };

function StatusCell({ server, load }: CellProps) {
  return (
    <>
      <ServerState status={server.status} />
      {server.status.uptime !== null && <p className={table['more']}>{uptimeText(server)}</p>}
      {load}
    </>
  );
}

type ColumnsProps = Pick<ListProps, 'actions'> & { isWide: boolean; renderLoad: (server: Server) => ReactNode };

const columnsOf = ({ isWide, actions, renderLoad }: ColumnsProps): Column<Server>[] => [
  {
    id: 'name',
    label: labels.name,
    width: '14%',
    isRowHeader: true,
    render: (server) => <ServerName server={server} isWide={isWide} />,
  },
  { id: 'host', label: labels.host, render: (server) => <AddressLine server={server} /> },
  {
    id: 'provider',
    label: labels.provider,
    width: '10%',
    isMuted: true,
    render: ({ provider }) => <TwoLines text={provider ?? '—'} />,
  },
  { id: 'type', label: labels.type, width: 76, render: ({ type }) => <TypeBadge type={type} /> },
  {
    id: 'status',
    label: 'Statut',
    width: isWide ? '15%' : '24%',
    render: (server) =>
      isWide ? <ServerState status={server.status} /> : <StatusCell server={server} load={renderLoad(server)} />,
  },
  {
    id: 'uptime',
    label: 'Uptime',
    width: 96,
    isMuted: true,
    render: ({ status }) => <Uptime status={status} />,
  },
  { id: 'load', label: 'Charge (1\u00a0h)', width: 112, render: renderLoad },
  {
    ...actionsColumn,
    width: 'calc(5 * var(--control-height) + 16px)',
    render: (server) => <ServerActions server={server} actions={actions} />,
  },
];

/** What has no room of its own on a narrower screen. */
const wideColumns = ['provider', 'uptime', 'load'];

export function ServersTable({ servers, search, actions, selection, loads, onChange }: ListProps) {
  const isWide = !useNarrow(1280);
  const renderLoad = ({ id }: Server) => <Sparkline health={loads.get(id)} />;
  const columns = columnsOf({ isWide, actions, renderLoad });
  return (
    <DataTable
      rows={servers}
      rowId={({ id }) => id}
      columns={isWide ? columns : columns.filter(({ id }) => !wideColumns.includes(id))}
      sorting={sortControls(sortable, labels, search.sort, onChange)}
      selection={{
        selection,
        allLabel: 'Sélectionner tous les serveurs affichés',
        rowLabel: ({ name }) => `Sélectionner ${name}`,
      }}
      rowProps={({ status }) => ({ 'data-down': status.online === false || undefined })}
      renderCard={(server, checkbox) => (
        <Stack gap={4} p="8px 16px 4px">
          <div className={cards['head']}>
            {checkbox}
            <ServerLink server={server} />
            <TypeBadge type={server.type} />
          </div>
          <ServerFacts server={server} />
          <div className={cards['state']}>
            <ServerState status={server.status} />
            {renderLoad(server)}
          </div>
          <div className={cards['foot']}>
            <span className={styles['more']}>{uptimeText(server)}</span>
            <ServerActions server={server} actions={actions} />
          </div>
        </Stack>
      )}
    />
  );
}
