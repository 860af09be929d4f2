import { Link } from '@tanstack/react-router';
import type { HealthItem } from '@vigie/contracts/server-health';
import type { Server } from '@vigie/contracts/servers';
import { sortControls } from '../../kit/list/search-params';
import { type GroupNames, useGroupNames } from '../../kit/fleet/groups';
import { useOwnerLabel } from '../../kit/fleet/users';
import { Sparkline } from '../../ui/Sparkline';
import { actionsColumn, sortColumns, Table } from '../../kit/list/Table';
import table from '../../kit/list/Table.module.css';
import { RowCheckbox, AllRowsCheckbox } from '../../kit/list/RowCheckbox';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { useProgressiveList } from '../../kit/list/useProgressiveList';
import { addressOf } from '../../ui/serverAddress';
import type { Selection } from '../../kit/list/useSelection';
import { TypeBadge } from '../../ui/TypeBadge';
import { useNarrow } from '../../ui/useNarrow';
import { type ServerActionHandlers, ServerActions } from './ServerActions';
import { ServerState } from './ServerState';
import styles from './ServersTable.module.css';
import { columns, type ServersSearch } from './search';
import { Uptime } from './Uptime';
import { columnLabels } from './words';

export type ListProps = {
  servers: readonly Server[];
  search: ServersSearch;
  actions: ServerActionHandlers;
  selection: Selection;
  loads: ReadonlyMap<string, HealthItem>;
  onChange: (change: Partial<ServersSearch>) => void;
};

export type ServerRowProps = Pick<ListProps, 'actions' | 'selection' | 'loads'> & {
  server: Server;
  groupNames: GroupNames;
};

export const ServerLink = ({ server }: { server: Server }) => (
  <Link
    to="/servers"
    search={(current: ServersSearch) => ({ ...current, open: server.id, test: undefined })}
    resetScroll={false}
    className={table['link'] ?? ''}
  >
    {server.name}
  </Link>
);

export const ServerCheckbox = ({ server, selection }: Pick<ServerRowProps, 'server' | 'selection'>) => (
  <RowCheckbox
    label={`Sélectionner ${server.name}`}
    isOn={selection.ids.includes(server.id)}
    onChange={(isOn, isRange) => selection.choose(server.id, isOn, isRange)}
  />
);

function Row({ server, isWide, groupNames, actions, selection, loads }: ServerRowProps & { isWide: boolean }) {
  const line = useFocusHandOver<HTMLTableRowElement>();
  const { provider, status } = server;
  const groups = groupNames(server.groups);
  const ownerName = useOwnerLabel(server);
  return (
    <tr ref={line} data-down={status.online === false || undefined}>
      <td>
        <ServerCheckbox server={server} selection={selection} />
      </td>
      <th scope="row" className={table['name']}>
        <ServerLink server={server} />
        {ownerName !== undefined && <p className={table['more']}>{ownerName}</p>}
        {!isWide && provider !== null && <p className={table['more']}>{provider}</p>}
        {groups.length > 0 && <p className={table['more']}>{groups.map(({ name }) => name).join(', ')}</p>}
      </th>
      <td className={styles['host']} title={addressOf(server)}>
        <span>{addressOf(server)}</span>
      </td>
      {isWide && (
        <td className={styles['provider']}>
          <span>{provider ?? '—'}</span>
        </td>
      )}
      <td>
        <TypeBadge type={server.type} />
      </td>
      <td>
        <ServerState status={status} />
        {!isWide && (
          <>
            {status.uptime !== null && <p className={table['more']}>{`Uptime\u00a0: ${status.uptime}`}</p>}
            <Sparkline health={loads.get(server.id)} />
          </>
        )}
      </td>
      {isWide && (
        <td className={styles['uptime']}>
          <Uptime status={status} />
          <Sparkline health={loads.get(server.id)} />
        </td>
      )}
      <td>
        <ServerActions server={server} actions={actions} />
      </td>
    </tr>
  );
}

export function ServersTable({ servers, search, onChange, ...rest }: ListProps) {
  const isWide = !useNarrow(1280);
  const groupNames = useGroupNames();
  const shownColumns = isWide ? columns : columns.filter((column) => column !== 'provider');
  const heads = [
    {
      column: 'select',
      label: <AllRowsCheckbox label="Sélectionner tous les serveurs affichés" selection={rest.selection} />,
    },
    ...sortColumns({ ...sortControls(columns, columnLabels, search.sort, onChange), columns: shownColumns }),
    { column: 'status', label: 'Statut' },
    ...(isWide ? [{ column: 'uptime', label: 'Uptime' }] : []),
    actionsColumn,
  ];
  return (
    <Table className={styles['table']} columns={heads} data-wide={isWide || undefined}>
      <tbody>
        {useProgressiveList(servers).map((server) => (
          <Row key={server.id} {...{ server, isWide, groupNames, ...rest }} />
        ))}
      </tbody>
    </Table>
  );
}
