import type { DnsRecord } from '@vigie/contracts/dns-records';
import { Pencil, Trash2 } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { IconButton } from '../../ui/IconButton';
import type { Sorting } from '../../kit/list/SortChoice';
import { Status } from '../../ui/Status';
import { actionsColumn, sortColumns, Table } from '../../kit/list/Table';
import table from '../../kit/list/Table.module.css';
import { RowCheckbox, AllRowsCheckbox } from '../../kit/list/RowCheckbox';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { useProgressiveList } from '../../kit/list/useProgressiveList';
import { useMovable } from '../../ui/useMovable';
import { useNarrow } from '../../ui/useNarrow';
import type { Selection } from '../../kit/list/useSelection';
import { pointsTo } from './points';
import styles from './RecordsTable.module.css';
import { recordColumns } from './search';
import type { ServerOfZone } from './useServerOfZone';
import { spellProxied, spellTtl } from './words';

type Column = (typeof recordColumns)[number];
type RecordActions = { edit: (record: DnsRecord) => void; remove: (record: DnsRecord) => void };
type RowProps = {
  record: DnsRecord;
  /** The name of the linked site's server, where the record points to it. */
  serverName: string | undefined;
  selection: Selection;
  actions: RecordActions;
};

export const recordColumnLabels: Readonly<Record<Column, string>> = {
  name: 'Nom',
  type: 'Type',
  content: 'Contenu',
  ttl: 'TTL',
};

const nameOf = ({ type, display_name: name }: DnsRecord) => `${type} ${name}`;

function Content({ record, serverName }: Pick<RowProps, 'record' | 'serverName'>) {
  return (
    <>
      <span className={styles['content']}>
        {record.priority !== null && <span className={styles['priority']}>{`${record.priority} `}</span>}
        {record.content}
      </span>
      {record.comment !== null && <p className={table['more']}>{record.comment}</p>}
      {serverName !== undefined && <Status tone="ok">{`pointe vers le serveur ${serverName}`}</Status>}
    </>
  );
}

const ActionButtons = ({ record, actions }: Pick<RowProps, 'record' | 'actions'>) =>
  record.editable ? (
    <div className={styles['actions']}>
      <IconButton isAtEdge icon={Pencil} label={`Modifier ${nameOf(record)}`} onClick={() => actions.edit(record)} />
      <IconButton isAtEdge icon={Trash2} label={`Supprimer ${nameOf(record)}`} onClick={() => actions.remove(record)} />
    </div>
  ) : (
    <span className={styles['locked']} title="Ce type se modifie chez Cloudflare.">
      Lecture seule
    </span>
  );

const RecordCheckbox = ({ record, selection }: Pick<RowProps, 'record' | 'selection'>) =>
  record.editable ? (
    <RowCheckbox
      label={`Sélectionner ${nameOf(record)}`}
      isOn={selection.ids.includes(record.id)}
      onChange={(isOn, isRange) => selection.choose(record.id, isOn, isRange)}
    />
  ) : null;

function Row({ record, serverName, selection, actions }: RowProps) {
  const line = useFocusHandOver<HTMLTableRowElement>();
  return (
    <tr ref={line}>
      <td>
        <RecordCheckbox record={record} selection={selection} />
      </td>
      <th scope="row" className={styles['name']}>
        {record.display_name}
      </th>
      <td>{record.type}</td>
      <td>
        <Content record={record} serverName={serverName} />
      </td>
      <td>{spellTtl(record.ttl)}</td>
      <td className={styles['proxied']} data-on={record.proxied || undefined}>
        {spellProxied(record)}
      </td>
      <td>
        <ActionButtons record={record} actions={actions} />
      </td>
    </tr>
  );
}

function Card({ record, serverName, selection, actions }: RowProps) {
  const card = useFocusHandOver<HTMLDivElement>();
  return (
    <div ref={card} className={styles['card']}>
      <RecordCheckbox record={record} selection={selection} />
      <div className={styles['about']}>
        <p>
          <strong className={styles['name']}>{record.display_name}</strong> {record.type}
        </p>
        <Content record={record} serverName={serverName} />
        <p className={table['more']}>
          {[`TTL ${spellTtl(record.ttl)}`, spellProxied(record)].filter((text) => text !== '—').join(' · ')}
        </p>
      </div>
      <ActionButtons record={record} actions={actions} />
    </div>
  );
}

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

type LayoutProps = Omit<Props, 'server'> & { serverOf: (record: DnsRecord) => string | undefined };

const Cards = ({ records, serverOf, selection, actions, open, editor }: LayoutProps) => (
  <>
    {open === 'new' && editor}
    <ul aria-label="Enregistrements">
      {records.map((record) => (
        <li key={record.id}>
          <Card record={record} serverName={serverOf(record)} selection={selection} actions={actions} />
          {open === record.id && editor}
        </li>
      ))}
    </ul>
  </>
);

function Rows({ records, serverOf, open, editor, sorting, ...rest }: LayoutProps) {
  const columns = [
    {
      column: 'select',
      label: <AllRowsCheckbox label="Sélectionner tous les enregistrements affichés" selection={rest.selection} />,
    },
    ...sortColumns(sorting),
    { column: 'proxied', label: 'Proxy' },
    actionsColumn,
  ];
  const row = (
    <tr className={styles['editor']}>
      <td colSpan={columns.length}>{editor}</td>
    </tr>
  );
  return (
    <Table aria-label="Enregistrements" className={styles['table']} columns={columns}>
      <tbody>
        {open === 'new' && row}
        {records.map((record) => (
          <Fragment key={record.id}>
            <Row record={record} serverName={serverOf(record)} {...rest} />
            {open === record.id && row}
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}

/** Lists the records of a zone, as cards on a phone. The form of a record opens in its own row. */
export function RecordsTable({ records, server, editor, ...rest }: Props) {
  const isNarrow = useNarrow();
  const { portal: moved, slot: place } = useMovable(editor);
  const orderedRecords = useProgressiveList(records);
  const serverOf = (record: DnsRecord) => (server && pointsTo(record, server.host, records) ? server.name : undefined);
  const Layout = isNarrow ? Cards : Rows;
  return (
    <>
      {moved}
      <Layout {...rest} records={orderedRecords} serverOf={serverOf} editor={place} />
    </>
  );
}
