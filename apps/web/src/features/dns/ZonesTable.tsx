import { Link } from '@tanstack/react-router';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Server } from 'lucide-react';
import { IconButton } from '../../ui/IconButton';
import type { Sorting } from '../../kit/list/SortChoice';
import { Status } from '../../ui/Status';
import { actionsColumn, sortColumns, Table } from '../../kit/list/Table';
import table from '../../kit/list/Table.module.css';
import { TimeAgo } from '../../ui/TimeAgo';
import { zoneColumns } from './search';
import { stateOf } from './words';
import { ZoneLink } from './ZoneLink';
import styles from './ZonesTable.module.css';

type Column = (typeof zoneColumns)[number];
export type ZoneActions = { showNameServers: (zone: DnsZone) => void };

export const zoneColumnLabels: Readonly<Record<Column, string>> = {
  name: 'Zone',
  status: 'Statut',
  created_at: 'Créée',
};

const Name = ({ zone: { ref, name, display_name: displayName, config_name: login } }: { zone: DnsZone }) => (
  <>
    <ZoneLink zoneId={ref} className={table['link']}>
      {displayName}
    </ZoneLink>
    {displayName !== name && <p className={table['more']}>{name}</p>}
    {login !== null && <p className={table['more']}>{`Par ${login}`}</p>}
  </>
);

function State({ zone }: { zone: DnsZone }) {
  const { tone, word } = stateOf(zone);
  return <Status tone={tone}>{word}</Status>;
}

function LinkedSite({ zone }: { zone: DnsZone }) {
  if (zone.site_id === null) return <span className={styles['none']}>Aucun site lié</span>;
  return (
    <Link to="/sites/$siteId" params={{ siteId: zone.site_id }} className={styles['site'] ?? ''}>
      {zone.site_name ?? 'Site lié'}
    </Link>
  );
}

const ActionButtons = ({ zone, actions }: { zone: DnsZone; actions: ZoneActions }) => (
  <div className={styles['actions']}>
    <IconButton
      isAtEdge
      icon={Server}
      label={`Serveurs de noms de ${zone.display_name}`}
      onClick={() => actions.showNameServers(zone)}
    />
  </div>
);

type Props = {
  zones: readonly DnsZone[];
  actions: ZoneActions;
  sorting: Sorting<Column>;
};

export function ZonesTable({ zones, actions, sorting }: Props) {
  const columns = [...sortColumns(sorting), { label: 'Site lié' }, { column: 'plan', label: 'Offre' }, actionsColumn];
  return (
    <Table className={styles['table']} columns={columns}>
      <tbody>
        {zones.map((zone) => (
          <tr key={zone.ref}>
            <th scope="row">
              <Name zone={zone} />
            </th>
            <td>
              <State zone={zone} />
            </td>
            <td>{zone.created_at === null ? '—' : <TimeAgo at={zone.created_at} />}</td>
            <td>
              <LinkedSite zone={zone} />
            </td>
            <td className={styles['plan']}>{zone.plan ?? '—'}</td>
            <td>
              <ActionButtons zone={zone} actions={actions} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The list of zones on a narrow screen. */
export const ZoneCards = ({ zones, actions }: Props) => (
  <ul>
    {zones.map((zone) => (
      <li key={zone.ref} className={styles['card']}>
        <div className={styles['about']}>
          <Name zone={zone} />
          <p className={styles['line']}>
            <State zone={zone} />
            <LinkedSite zone={zone} />
          </p>
        </div>
        <ActionButtons zone={zone} actions={actions} />
      </li>
    ))}
  </ul>
);
