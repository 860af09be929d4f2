import { Box, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Server } from 'lucide-react';
import type { ReactNode } from 'react';
import { DataTable } from '../../kit/list/DataTable';
import { actionsColumn, type Column } from '../../kit/list/data-table';
import table from '../../kit/list/list.module.css';
import type { Sorting } from '../../kit/list/SortChoice';
import { IconButton } from '../../ui/IconButton';
import links from '../../ui/links.module.css';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './dns.module.css';
import { unfiltered, type ZonesSearch, type zoneColumns } from './search';
import { stateOf } from './words';

type ZoneColumn = (typeof zoneColumns)[number];

export const zoneColumnLabels: Readonly<Record<ZoneColumn, string>> = {
  name: 'Zone',
  status: 'Statut',
  created_at: 'Créée',
};

const Name = ({ zone: { ref, name, display_name: displayName, config_name: login } }: { zone: DnsZone }) => (
  <>
    <ZoneLink zoneId={ref} className={links['name']}>
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
  if (zone.site_id === null) return <span className={styles['muted']}>Aucun site lié</span>;
  return (
    <Link to="/sites/$siteId" params={{ siteId: zone.site_id }} className={styles['link'] ?? ''}>
      {zone.site_name ?? 'Site lié'}
    </Link>
  );
}

const columns: readonly Column<DnsZone>[] = [
  { id: 'name', label: zoneColumnLabels.name, isRowHeader: true, render: (zone) => <Name zone={zone} /> },
  { id: 'status', label: zoneColumnLabels.status, width: '17%', render: (zone) => <State zone={zone} /> },
  {
    id: 'created_at',
    label: zoneColumnLabels.created_at,
    width: '16%',
    render: ({ created_at: at }) => (at === null ? '—' : <TimeAgo at={at} />),
  },
  { id: 'site', label: 'Site lié', render: (zone) => <LinkedSite zone={zone} /> },
  { id: 'plan', label: 'Offre', width: '14%', isMuted: true, render: ({ plan }) => plan ?? '—' },
];

type Props = {
  zones: readonly DnsZone[];
  showNameServers: (zone: DnsZone) => void;
  sorting: Sorting<ZoneColumn>;
};

export function ZonesTable({ zones, showNameServers, sorting }: Props) {
  const renderActions = (zone: DnsZone) => (
    <IconButton
      isAtEdge
      icon={Server}
      label={`Serveurs de noms de ${zone.display_name}`}
      onClick={() => showNameServers(zone)}
    />
  );
  return (
    <DataTable
      rows={zones}
      rowId={({ ref }) => ref}
      columns={[...columns, { ...actionsColumn, width: 'calc(var(--control-height) + 16px)', render: renderActions }]}
      sorting={sorting}
      renderCard={(zone) => (
        <Group gap={12} wrap="nowrap" justify="space-between" p="10px 4px 10px 16px">
          <Box miw={0}>
            <Name zone={zone} />
            <Group gap="4px 16px" fz={13}>
              <State zone={zone} />
              <LinkedSite zone={zone} />
            </Group>
          </Box>
          {renderActions(zone)}
        </Group>
      )}
    />
  );
}

type ZoneLinkProps = { zoneId: string; className: string | undefined; children: ReactNode };

/** A link rather than a button, so that the records can open in another browser tab. */
export const ZoneLink = ({ zoneId, className, children }: ZoneLinkProps) => (
  <Link
    to="/cloudflare"
    search={(search: ZonesSearch) => ({ ...search, ...unfiltered, tab: 'dns' as const, zone: zoneId })}
    className={className ?? ''}
  >
    {children}
  </Link>
);
