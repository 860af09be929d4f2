import { Link } from '@tanstack/react-router';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Server } from 'lucide-react';
import { Hidden } from '../../ui/Hidden';
import { IconButton } from '../../ui/IconButton';
import { SortHead } from '../../ui/SortHead';
import { Status } from '../../ui/Status';
import table from '../../ui/Table.module.css';
import { When } from '../../ui/When';
import { useMappedSite } from './mapped';
import { zoneColumns } from './search';
import { stateOf } from './words';
import { ZoneLink } from './ZoneLink';
import styles from './ZonesTable.module.css';

type Column = (typeof zoneColumns)[number];
export type Deeds = { serve: (zone: DnsZone) => void };

export const zoneColumnLabels: Readonly<Record<Column, string>> = {
  name: 'Zone',
  status: 'Statut',
  created_at: 'Créée',
};

const Name = ({ zone: { ref, name, display_name: shown, config_name: login } }: { zone: DnsZone }) => (
  <>
    <ZoneLink zone={ref} className={table['link']}>
      {shown}
    </ZoneLink>
    {shown !== name && <p className={table['more']}>{name}</p>}
    {login !== null && <p className={table['more']}>{`Par ${login}`}</p>}
  </>
);

function State({ zone }: { zone: DnsZone }) {
  const { tone, word } = stateOf(zone);
  return <Status tone={tone}>{word}</Status>;
}

/** The site that the zone is linked to. */
function Mapped({ zone }: { zone: DnsZone }) {
  const site = useMappedSite(zone.site_id);
  if (zone.site_id === null) return <span className={styles['none']}>Aucun site lié</span>;
  return (
    <Link to="/sites/$siteId" params={{ siteId: zone.site_id }} className={styles['site'] ?? ''}>
      {site?.site_name ?? 'Site lié'}
    </Link>
  );
}

const Actions = ({ zone, deeds }: { zone: DnsZone; deeds: Deeds }) => (
  <div className={styles['actions']}>
    <IconButton
      isAtEdge
      icon={Server}
      label={`Serveurs de noms de ${zone.display_name}`}
      onClick={() => deeds.serve(zone)}
    />
  </div>
);

type Props = {
  zones: readonly DnsZone[];
  deeds: Deeds;
  sorted: { column: Column; isDescending: boolean };
  onSort: (column: Column, isDescending: boolean) => void;
};

export function ZonesTable({ zones, deeds, sorted, onSort }: Props) {
  return (
    <table className={`${table['table']} ${styles['table']}`}>
      <thead>
        <tr>
          {zoneColumns.map((column) => (
            <SortHead
              key={column}
              column={column}
              label={zoneColumnLabels[column]}
              sorted={sorted}
              onSort={(isDescending) => onSort(column, isDescending)}
            />
          ))}
          <th scope="col">Site lié</th>
          <th scope="col" data-column="plan">
            Offre
          </th>
          <th scope="col" data-column="actions">
            <Hidden>Actions</Hidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {zones.map((zone) => (
          <tr key={zone.ref}>
            <th scope="row">
              <Name zone={zone} />
            </th>
            <td>
              <State zone={zone} />
            </td>
            <td>{zone.created_at === null ? '—' : <When at={zone.created_at} />}</td>
            <td>
              <Mapped zone={zone} />
            </td>
            <td className={styles['plan']}>{zone.plan ?? '—'}</td>
            <td>
              <Actions zone={zone} deeds={deeds} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The same where a table does not fit. */
export const ZoneCards = ({ zones, deeds }: Props) => (
  <ul>
    {zones.map((zone) => (
      <li key={zone.ref} className={styles['card']}>
        <div className={styles['about']}>
          <Name zone={zone} />
          <p className={styles['line']}>
            <State zone={zone} />
            <Mapped zone={zone} />
          </p>
        </div>
        <Actions zone={zone} deeds={deeds} />
      </li>
    ))}
  </ul>
);
