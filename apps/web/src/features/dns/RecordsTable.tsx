import { Box, Group } from '@mantine/core';
import type { DnsRecord } from '@vigie/contracts/dns-records';
import type { DnsZone } from '@vigie/contracts/dns-zones';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSite } from '../../kit/fleet/sites';
import { DataTable } from '../../kit/list/DataTable';
import { actionsColumn, type Column as TableColumn } from '../../kit/list/data-table';
import table from '../../kit/list/list.module.css';
import type { Sorting } from '../../kit/list/SortChoice';
import type { Selection } from '../../kit/list/useSelection';
import { IconButton } from '../../ui/IconButton';
import { Status } from '../../ui/Status';
import { useMovable } from '../../ui/useMovable';
import styles from './dns.module.css';
import { pointsTo } from './points';
import type { recordColumns } from './search';
import { spellProxied, spellTtl } from './words';

type Column = (typeof recordColumns)[number];
type RecordActions = { edit: (record: DnsRecord) => void; remove: (record: DnsRecord) => void };

export const recordColumnLabels: Readonly<Record<Column, string>> = {
  name: 'Nom',
  type: 'Type',
  content: 'Contenu',
  ttl: 'TTL',
};

const nameOf = ({ type, display_name: name }: DnsRecord) => `${type} ${name}`;

/** Names the linked site's server, where the record points to it. */
function Content({ record, serverName }: { record: DnsRecord; serverName: string | undefined }) {
  return (
    <>
      <span className={`${styles['mono']} ${styles['content']}`}>
        {record.priority !== null && <span className={styles['muted']}>{`${record.priority} `}</span>}
        {record.content}
      </span>
      {record.comment !== null && <p className={table['more']}>{record.comment}</p>}
      {serverName !== undefined && <Status tone="ok">{`pointe vers le serveur ${serverName}`}</Status>}
    </>
  );
}

const ActionButtons = ({ record, actions }: { record: DnsRecord; actions: RecordActions }) =>
  record.editable ? (
    <Group gap={0} wrap="nowrap" flex="none">
      <IconButton isAtEdge icon={Pencil} label={`Modifier ${nameOf(record)}`} onClick={() => actions.edit(record)} />
      <IconButton isAtEdge icon={Trash2} label={`Supprimer ${nameOf(record)}`} onClick={() => actions.remove(record)} />
    </Group>
  ) : (
    <span className={table['more']} title="Ce type se modifie chez Cloudflare.">
      Lecture seule
    </span>
  );

type Props = {
  records: readonly DnsRecord[];
  server: ServerOfZone | undefined;
  selection: Selection;
  actions: RecordActions;
  sorting: Sorting<Column>;
  /** The record whose form is open in its row, or `new`. */
  open: string | undefined;
  editor: ReactNode;
};

type ServerNameOf = (record: DnsRecord) => string | undefined;

const columnsOf = (serverNameOf: ServerNameOf, actions: RecordActions): TableColumn<DnsRecord>[] => [
  {
    id: 'name',
    label: recordColumnLabels.name,
    width: '20%',
    isRowHeader: true,
    render: ({ display_name: name }) => <span className={styles['name']}>{name}</span>,
  },
  { id: 'type', label: recordColumnLabels.type, width: 80, render: ({ type }) => type },
  {
    id: 'content',
    label: recordColumnLabels.content,
    render: (record) => <Content record={record} serverName={serverNameOf(record)} />,
  },
  { id: 'ttl', label: recordColumnLabels.ttl, width: 80, render: ({ ttl }) => spellTtl(ttl) },
  {
    id: 'proxied',
    label: 'Proxy',
    width: 128,
    isMuted: true,
    render: (record) => <span className={record.proxied ? styles['on'] : undefined}>{spellProxied(record)}</span>,
  },
  {
    ...actionsColumn,
    width: 'calc(2 * var(--control-height) + 32px)',
    render: (record) => <ActionButtons record={record} actions={actions} />,
  },
];

/** Lists the records of a zone. The form of a record opens in its own row. */
export function RecordsTable({ records, server, selection, actions, sorting, open, editor }: Props) {
  const { portal: moved, slot: place } = useMovable(editor);
  const serverNameOf = (record: DnsRecord) =>
    server && pointsTo(record, server.host, records) ? server.name : undefined;
  return (
    <>
      {moved}
      <DataTable
        label="Enregistrements"
        rows={records}
        rowId={({ id }) => id}
        columns={columnsOf(serverNameOf, actions)}
        sorting={sorting}
        selection={{
          selection,
          allLabel: 'Sélectionner tous les enregistrements affichés',
          rowLabel: (record) => (record.editable ? `Sélectionner ${nameOf(record)}` : undefined),
        }}
        firstDetails={open === 'new' && place}
        renderDetails={({ id }) => open === id && place}
        renderCard={(record, checkbox) => (
          <Group gap={4} wrap="nowrap" align="flex-start" p="8px 4px">
            {checkbox}
            <Box flex={1} miw={0} py={4}>
              <p>
                <span className={styles['name']}>{record.display_name}</span> {record.type}
              </p>
              <Content record={record} serverName={serverNameOf(record)} />
              <p className={table['more']}>
                {[`TTL ${spellTtl(record.ttl)}`, spellProxied(record)].filter((text) => text !== '—').join(' · ')}
              </p>
            </Box>
            <ActionButtons record={record} actions={actions} />
          </Group>
        )}
      />
    </>
  );
}

/** The server of the linked site, by the host that Vigie connects to. */
type ServerOfZone = { name: string; host: string };

export function useServerOfZone({ site_id: siteId }: DnsZone): ServerOfZone | undefined {
  const { data } = useSite(siteId ?? undefined);
  const ssh = data?.connection.ssh;
  const host = ssh?.effective?.host;
  return siteId === null || host === undefined ? undefined : { name: ssh?.server_name ?? host, host };
}
